# svccmd and its HTTP server. Build from the repository's root: docker build -f docker/commander-api.Dockerfile .
# A release names its digest.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
# Built on the machine's own architecture: what is built runs on any, and the last stage runs nothing.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS manifests
WORKDIR /manifests
COPY . .
# Only the files that determine the packages, so that changed sources do not reinstall them.
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /svc
COPY --from=manifests /manifests .
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx tsc -b apps/commander-api && node tools/bundle.mjs commander-api
RUN node docker/gather-built.mjs /built apps/commander-api \
 && mkdir -p /volumes/library /commands && mkdir -m 0700 /volumes/data \
 && ln -s /svc/apps/commander-api/bin/svccmd.js /commands/svccmd

FROM ${NODE_IMAGE}
# /tmp is not writable where the root file system is read-only.
ENV NODE_ENV=production SVCCMD_HTTP_ADDRESS=0.0.0.0 SVCCMD_HTTP_PORT=8080 TMPDIR=/data
WORKDIR /svc
COPY LICENSE THIRD-PARTY-NOTICES.txt ./
COPY --from=build /built .
COPY --from=build /commands /usr/local/bin
COPY --from=build --chown=1000:1000 /volumes /
# Where relative names in a configuration lead, also if there is no configuration.
WORKDIR /data
# A number, because Kubernetes cannot verify that a user name is not root.
USER 1000:1000
VOLUME ["/data", "/library"]
EXPOSE 8080
# Not with Node, whose start costs more processor time than the check every ten seconds is worth.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$SVCCMD_HTTP_PORT && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1.1 200 ' <&3"]
# Node is PID 1 and handles SIGTERM: it finishes running work before it exits.
CMD ["svccmd", "serve"]
# Last, because they change with every build.
ARG VERSION=unreleased
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="svc-commander" \
      org.opencontainers.image.description="Encrypts passwords, loads libraries into ZooKeeper, builds IP lookup files" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
