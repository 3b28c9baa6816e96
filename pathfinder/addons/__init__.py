"""Features that can be deleted: each folder is an add-on, and nothing outside it names it.

An add-on declares in `entry_points.txt` what it adds, in the groups that other packages use: operations, commands,
panels and pages of the page, methods of an open corpus, listeners to changes of a corpus, and all other extensions.
"""

PATHFINDER_API = 1
