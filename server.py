"""The page and the API in one process: `python server.py`. `pathfinder/ui/places/app.py`
alone is the page without the API."""

import sys

import streamlit as st

from pathfinder.cli.output import complain
from pathfinder.errors import PathfinderError
from pathfinder.serving.beside_page import (
    OPEN,
    PAGE_ONLY,
    api_beside_page,
    configuration,
    invite_owner,
    lifespan_of,
    middleware_of,
    routes_of,
    trust_named_proxies,
)

try:
    if __name__ == "__main__":
        options = configuration(sys.argv[1:])
        trust_named_proxies()  # before Streamlit starts its server
        invite_owner(options["server.address"], options["server.port"], opens=OPEN in sys.argv)
    else:  # `streamlit run server.py` has read its options before it loads this file
        options = {name: st.get_option(name) for name in ("server.address", "server.port")}
    middleware = middleware_of(options["server.address"], options["server.port"])
    page_only = __name__ == "__main__" and PAGE_ONLY in sys.argv
    api = None if page_only else api_beside_page(options["server.address"], options["server.port"])
except PathfinderError as error:
    sys.exit(complain(error))

app = st.App("pathfinder/ui/places/app.py", routes=routes_of(api), lifespan=lifespan_of(api), middleware=middleware)

if __name__ == "__main__":
    app.run(config=options)
