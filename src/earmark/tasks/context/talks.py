"""Twelve short talks for the tour, each about one thing that it keeps coming back to."""

TALKS = {
    "lighthouse": """
My grandfather kept a lighthouse, and the lighthouse kept him. Every evening he climbed the stairs
with a can of oil, and every evening the stairs seemed to grow by a step. The lamp stood at the
top behind thick glass. He cleaned the glass with vinegar, he filled the lamp, and then he waited
for the ships. Most nights no ships came near us. The coast was empty, and the few ships that
passed stayed far from the rocks. But one winter a storm tore the lamp from its frame, and that
same night a ship came straight at the rocks. My grandfather could not mend the lamp in a storm.
So he carried every mirror in the house up the stairs, set the mirrors around a fire of old
chairs, and turned them by hand until morning. The captain of the ship saw a weak light that moved
like a living thing, and he turned away from the rocks in time. Years later the captain came to
visit. He stood before the lighthouse and asked what had become of the mirrors. My grandfather
showed him the wall of the kitchen. There hung the mirrors, each with a black edge from the fire.
The captain touched one of the mirrors and said that he had never thanked a fire before. I think
of that fire when machines fail. A lighthouse is not a lamp. A lighthouse is somebody who stays
awake.
""",
    "bread": """
Bread begins with waiting. You mix flour and water, you leave the bowl on a shelf, and for three
days nothing seems to happen. On the fourth day the flour and the water smell of apples, and small
bubbles rise at the edge of the bowl. Now you have a starter, and a starter is an animal that
lives on flour. Feed the starter in the morning and feed it at night. When the starter doubles
between two meals, it can lift a dough. The dough wants time as well. Fold the dough once an hour,
let the dough rest under a towel, and keep your hands wet so that it does not stick. My first
dough stuck to the table, to my sleeves, and to the dog. My teacher laughed and said that the
dough was only showing me where I was in a hurry. She put a pot into the oven, and she let the pot
grow so hot that water danced on it. Then she dropped the dough into the pot, closed the lid, and
told me to stay away from the oven for half an hour. When she lifted the lid the crust sang. A
good crust crackles while it cools, like ice on a pond. We ate the first slice with butter and the
second slice with nothing at all. A crust like that needs no butter. I have baked every week since
then, and the crust still surprises me.
""",
    "bees": """
A hive of bees has no king, and the queen does not rule. The queen lays eggs, and the bees around
her decide nearly everything else. When the hive grows too full, some of the bees leave with the
old queen and hang in a tree like a brown beard. Now they need a new home. A few hundred scouts
fly out and look at hollow trees, at chimneys, and at the walls of houses. A scout that finds a
good hollow comes back and dances. The angle of the dance tells the direction, and the length of
the dance tells the distance. Other scouts follow the dance, look at the hollow for themselves,
and dance too if they like it. A poor hollow gets a short dance, and the dance soon dies. A fine
hollow gets a long dance, and the dance spreads. Nobody counts votes. But when about twenty scouts
meet at the same hollow at the same time, they hurry back and wake the whole swarm. The swarm
warms its wings and rises. I have watched a swarm choose a hollow in an oak, two miles from my
garden, and I have run below the swarm through three gardens and a river to see whether it would
keep its word. It did. The scouts led the swarm to the oak as if they had drawn a line across the
sky. I came home wet, and I have trusted scouts ever since.
""",
    "library": """
In our town the library was a bus. On Mondays the bus stood by the church, on Tuesdays it stood by
the school, and on Fridays it came up the hill to the farms. The driver was also the librarian.
She knew every reader by the books they had not brought back. My brother kept one book for two
years because he was afraid of the fine. When he finally carried the book to the bus, the driver
looked at the date and then looked at him for a long while. She said that a book which is loved
for two years owes the library nothing. After that my brother read every book on the bus. Then the
town council wanted to sell the bus, because a bus needs tyres and fuel and the council had found
that nobody needs books. The readers heard of it on a Friday. On Monday every reader came to the
church and took out as many books as the rules allowed. By noon the shelves were bare. The driver
drove an empty bus to the town hall, parked it below the windows of the council, and asked the
council to count the books that nobody needed. The council counted empty shelves for an hour. The
bus is still running. The shelves are new, the driver is old, and my brother drives the bus on
Fridays, when he is not looking for a book that somebody keeps out of fear.
""",
    "bridge": """
A bridge is a promise about weight. The engineer says how much weight the bridge will carry, and
then strangers drive across it with their children. I check bridges for a living. I walk under a
bridge with a hammer and a lamp, I strike the steel, and I listen. Good steel rings. Steel that is
tired answers with a dull sound, like a cup with a crack. Most cracks are harmless. A crack that
stays as it is can grow old in peace. What I fear is a crack that grows. So I mark the end of
every crack with chalk, I write the date beside the chalk, and next year I come back to see
whether the crack has crossed the chalk. Once I found a crack that had crossed three marks in
three months. I rang the engineer from under the bridge. He asked how many trucks were on the
bridge, and I said that I could hear six trucks above my head. He closed the bridge within the
hour, and the trucks had to drive around the bay. The drivers were furious. For a year the drivers
told me what the bay cost them in fuel. Then the old steel came down, and we cut through the place
where the crack had been. The crack had gone through nearly all of the steel. I keep that piece on
my desk. When drivers shout at me, I let them hold it, and the drivers become quiet.
""",
    "violin": """
The violin came to me without strings. A neighbour had found the violin behind a wardrobe, and
since I mend furniture she thought that I could mend a violin. I know wood, but a violin is not
furniture. Furniture should be silent. So I went to an old maker in the next street and asked him
to teach me. The maker took the violin, knocked on the back, and held it to his ear. He said that
the wood had gone to sleep. Wood that is not played goes to sleep, he said, and it takes months of
music to wake it. First we opened the violin. Inside it there was a label with a name that neither
of us could read, and under the label there was a second crack. We closed the crack with glue made
of hide, we cut a new bridge, and the maker chose the strings. Then his daughter played. For a
week the violin sounded like a door. She played scales in the morning and songs at night, and the
neighbours complained about the songs. In the fifth week a low note suddenly filled the room. The
maker stopped with his cup in the air. The note went on, and the cup trembled on its plate. After
that the songs were different. The neighbours opened their windows to hear the songs, and the
woman with the wardrobe came down to ask whose violin it was. I told her that it was hers. She
listened to one more note, and she gave the violin to the daughter.
""",
    "glacier": """
A glacier looks still, and it moves all the time. I learned this from a boot. In the first summer
of our work a student lost a boot in a crack of the glacier. We laughed, we made him a shoe out of
tape, and we forgot the boot. Nine summers later the boot came out at the lower edge of the ice,
two miles from the crack. The boot had travelled inside the glacier like a letter in the post.
From the date of the loss and the place of the find we could tell how fast the ice had moved, and
the answer was wrong. I mean that our model was wrong. The model said that the ice should have
needed fifteen summers. So there was water below the ice, and water is what makes a glacier slide.
We drilled holes down to the rock and lowered a microphone into each hole. At night the holes were
silent. In the afternoon, when the sun had melted the surface, the microphone heard a river. The
river ran below three hundred feet of ice, and every afternoon the river grew louder. We built a
new model with a river in it, and the new model found the boot where the glacier had left it. That
boot stands in our hallway now. Students touch the boot before an exam. I tell them that a model
is a story about things under the ice, and that sooner or later the ice will send back a boot.
""",
    "market": """
Every harbour has a market, and every market has its own clock. Ours starts at three in the
morning, when the first boats come in. The boats bring fish in baskets, and the baskets are set
down in rows on the wet floor. Then the buyers walk along the rows. A buyer never points at the
fish that he wants. He looks at the baskets next to it, he talks about football, and he touches
his cap when the price is right. I kept the books of the market for thirty years, and I could read
a cap from across the hall. One morning a young buyer came without a cap. He had a telephone
instead, and the telephone showed him the price of fish in every harbour of the country. The old
buyers smiled about the telephone. By the end of the month he had bought the best baskets at the
lowest price on the coast, because he knew which harbour had caught too much. The old buyers
stopped smiling. They asked me what to do, and I said that a price is a kind of weather. You can
look at the sky, or you can ask someone who stands under another sky. Within a year every buyer
had a telephone. The market became quiet. Nobody talks about football now, and nobody wears a cap.
The fish are the same, the baskets are the same, and the boats still come in at three. But I miss
the caps, and I miss a price that took some courage.
""",
    "orchard": """
I inherited an orchard in which nothing had a name. There were forty trees, and each tree bore a
different apple. Some apples were yellow, some apples were nearly black, and one tree gave apples
that nobody could eat before Christmas. My uncle had known the names, but my uncle wrote nothing
down. So I cut a label for each tree and numbered the labels. Then I invited people over sixty.
They walked through the orchard with a knife and a plate, and they argued. An old postman bit into
an apple from tree nine and began to cry. His mother had baked that apple in a clay dish, and he
had not tasted the apple since the war. He knew the name, and I wrote the name on the label. A
teacher knew tree twelve from a song. A priest recognised tree thirty by the smell of its wood. In
one autumn the people gave me twenty names. For the others I sent leaves and apples to a
laboratory, and the laboratory compared them with a thousand trees. Eight more got their names
from the laboratory. The last twelve are not in any book. The laboratory asked whether it might
have branches of these trees, because a tree that exists only once can die only once. We cut the
branches in February. Now each of the twelve grows in three other gardens. Its label has no name
yet. People send me names for the labels, and I keep the names in a box, and I eat the apples, and
I wait for the right postman.
""",
    "radio": """
When the flood came, the telephones died first. Then the power went, and with the power went every
screen in the valley. What was left was an old radio in the fire station. The radio ran on a truck
battery, and the man who knew the radio was eighty years old. He had built it from parts when he
was a boy. For two days he sat beside the radio and sent the same words to whoever might be
listening. On the second night a voice answered from a ship. The ship was four hundred miles away,
and the voice was so weak that he wrote down each letter as it came. The ship passed the words to
the coast, and the coast sent boats. The boats came at dawn. They took the sick out of the valley
first, and then they brought a new battery for the radio, because by then the battery of the truck
was nearly empty. After the flood the mayor gave a speech about satellites. The old man raised his
hand. He asked the mayor how many satellites had answered him. There was some laughter, and the
mayor laughed as well. Then the town bought three radios, and the old man taught a class. I was in
that class. We learned to listen before we speak, and we learned that a voice needs less power
than a picture. The battery is checked on the first of every month. Nobody in the valley has a
screen that works in a flood, but everybody knows where the radio stands, and who was a boy when
he built it.
""",
    "telescope": """
The first telescope that I built showed me nothing at all. I had ground the mirror for six weeks
in the cellar, I had painted the tube, and on the first clear night I carried the telescope into
the garden and saw a grey soup. My mother looked into the soup and said that it was very nice. The
fault was in the mirror. A mirror for a telescope must be right to a fraction of a wave of light,
and mine was wrong by the width of a hair. So I went back to the cellar. I learned to test a
mirror with a razor and a lamp. You put the lamp beside the mirror, you move the razor through the
beam, and a shadow runs across the glass. The shadow shows every hill and every valley. I chased
that shadow for a whole winter. When a hill was gone, a valley was there, and when the valley was
gone, the edge had turned down. In March the shadow at last went grey all over at once, and I knew
what that meant. I carried the telescope into the garden again. There stood Saturn with its ring,
as small and as sharp as a stamp. I called my mother. She looked for a long time, and she did not
say that it was nice. She asked whether the ring had been there in the soup as well. It had. The
ring had been there every night, and only the mirror had been in the way. I think about this
whenever an experiment shows me soup.
""",
    "clock": """
The clock on our town hall was never right, and the town was proud of it. It was seven minutes
slow. The trains knew about the clock and waited, the school began when the clock said eight, and
a farmer who moved here from the city missed every meeting for a year. Then a watchmaker opened a
shop on the square. She looked up at the clock each morning and shook her head. At last she
climbed the tower with a box of tools and a lamp. The wheels of the clock were clean. The weights
were sound. But a stone lay on the pendulum, a flat stone the size of a coin, and the stone had
been there for a hundred years. Under the stone she found a note. The note said that the mayor of
that time had missed a train, and that the clock should be kind to those who run. The watchmaker
put the stone back. She came down from the tower and told nobody. I know about the stone because I
wind the clock now, and the note is still there. Last year engineers came from the city with a new
clock that listens to a signal from a satellite. The council voted about the signal. One old woman
stood up and said that a train which does not wait is only a machine. The council kept the tower
as it was. The signal goes on without us, the trains wait, and on the pendulum the stone holds
back seven minutes for everyone who runs.
""",
}
