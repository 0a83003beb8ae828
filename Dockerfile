# Charlotte as a user without privileges: over HTTP, or over stdio with
# `docker run -i --rm --init --no-healthcheck IMAGE serve`.
FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        chromium chromium-headless-shell fonts-liberation fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home charlotte

WORKDIR /opt/charlotte
COPY requirements.txt ./
RUN pip install --no-cache-dir -r requirements.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY charlotte charlotte
RUN pip install --no-cache-dir --no-deps .

# Chromium's own sandbox needs user namespaces, which the default profile of container engines
# forbids: if it cannot start, Charlotte runs without it and logs a warning.
USER charlotte
ENV CHARLOTTE_HOST=0.0.0.0
EXPOSE 3737
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; port = os.environ.get('CHARLOTTE_PORT', 3737); urllib.request.urlopen(f'http://127.0.0.1:{port}/healthz', timeout=4)"]
ENTRYPOINT ["charlotte"]
CMD ["serve", "--http"]
