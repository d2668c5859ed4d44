# The command utility. Build from the repository's root: docker build -f docker/commander-api.Dockerfile .
FROM docker.io/library/node:24-bookworm-slim AS manifests
WORKDIR /manifests
COPY . .
# Only what decides which packages are installed: sources may change without installing anew.
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /svc
COPY --from=manifests /manifests .
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx tsc -b apps/commander-api

FROM docker.io/library/node:24-bookworm-slim AS packages
WORKDIR /svc
COPY --from=manifests /manifests .
RUN npm ci --ignore-scripts --no-audit --no-fund --omit=dev -w apps/commander-api

FROM docker.io/library/node:24-bookworm-slim
LABEL org.opencontainers.image.title="svc-commander" \
      org.opencontainers.image.description="Encrypts passwords, loads libraries into ZooKeeper, builds IP lookup files" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production SVCCMD_HTTP_ADDRESS=0.0.0.0 SVCCMD_HTTP_PORT=8080
WORKDIR /svc
COPY --from=packages /svc .
COPY --from=build /svc/libs/client-metadata/dist libs/client-metadata/dist
COPY --from=build /svc/libs/directory-store/dist libs/directory-store/dist
COPY --from=build /svc/libs/folder-files/dist libs/folder-files/dist
COPY --from=build /svc/libs/iplookup-core/dist libs/iplookup-core/dist
COPY --from=build /svc/libs/library-source/dist libs/library-source/dist
COPY --from=build /svc/libs/library-sync/dist libs/library-sync/dist
COPY --from=build /svc/libs/password-format/dist libs/password-format/dist
COPY --from=build /svc/libs/registry-client/dist libs/registry-client/dist
COPY --from=build /svc/libs/service-kit/dist libs/service-kit/dist
COPY --from=build /svc/libs/yaml-depth/dist libs/yaml-depth/dist
COPY --from=build /svc/libs/zookeeper-store/dist libs/zookeeper-store/dist
COPY --from=build /svc/apps/commander-api/bin apps/commander-api/bin
COPY --from=build /svc/apps/commander-api/dist apps/commander-api/dist
COPY LICENSE .
RUN ln -s /svc/apps/commander-api/bin/svccmd.js /usr/local/bin/svccmd \
 && mkdir -m 0700 /data && mkdir /library && chown node:node /data /library
USER node
VOLUME ["/data", "/library"]
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["svccmd", "serve"]
