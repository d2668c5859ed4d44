# The client registry. Build from the repository's root: docker build -f docker/registry-api.Dockerfile .
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
RUN npx tsc -b apps/registry-api && cd apps/registry-ui && npx vite build

FROM docker.io/library/node:24-bookworm-slim AS packages
WORKDIR /svc
COPY --from=manifests /manifests .
RUN npm ci --ignore-scripts --no-audit --no-fund --omit=dev -w apps/registry-api

FROM docker.io/library/node:24-bookworm-slim
LABEL org.opencontainers.image.title="svc-registry" \
      org.opencontainers.image.description="The authorization server's client registry" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production ADDRESS=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /svc
COPY --from=packages /svc .
COPY --from=build /svc/libs/client-metadata/dist libs/client-metadata/dist
COPY --from=build /svc/libs/iplookup-core/dist libs/iplookup-core/dist
COPY --from=build /svc/libs/service-config/dist libs/service-config/dist
COPY --from=build /svc/libs/service-kit/dist libs/service-kit/dist
COPY --from=build /svc/apps/registry-api/dist apps/registry-api/dist
COPY --from=build /svc/apps/registry-ui/dist apps/registry-ui/dist
COPY LICENSE THIRD-PARTY-NOTICES.txt ./
RUN mkdir -m 0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/registry-api/dist/main.js"]
