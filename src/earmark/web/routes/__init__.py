"""Routes, one module for each kind of thing: HTTP into calls, results into HTTP."""
