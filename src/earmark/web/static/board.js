// The board has the whole width.
document.getElementById("main").classList.add("wide");
