# Pathfinder as a Hugging Face Space, or on anyone's server: docker build -t pathfinder . && docker run -p 7860:7860 pathfinder
# Keys reach it as environment variables when it starts (the Space's secrets); the image holds none.
FROM python:3.11-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 pathfinder \
    && install -d -o pathfinder /home/pathfinder/app /home/pathfinder/corpora

USER pathfinder
WORKDIR /home/pathfinder/app
ENV PIP_NO_CACHE_DIR=1 PYTHONUNBUFFERED=1

# The dependencies and the model change less often than the code, so they are a layer of their own.
COPY --chown=pathfinder Makefile requirements.txt requirements-model.txt requirements-milvus.txt ./
RUN make .venv/pins
# docker build --build-arg EXTRA=milvus: the client of a Milvus server too.
ARG EXTRA=
RUN test -z "$EXTRA" || .venv/bin/python -m pip install --require-hashes --no-deps -r "requirements-$EXTRA.txt"

COPY --chown=pathfinder . .
RUN make build/landmarks/manifest.json

# The page starts alone unless PATHFINDER_API_KEYS or PATHFINDER_OPEN lets others call the API, see docs/api.md.
ENV PATHFINDER_CORPUS=build/landmarks
EXPOSE 7860
HEALTHCHECK --start-period=30s CMD [".venv/bin/python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/_stcore/health', timeout=5)"]
CMD [".venv/bin/python", "server.py", "--host=0.0.0.0", "--port=7860"]
