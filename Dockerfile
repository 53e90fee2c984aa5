# Stage 1: packages, generated code and builds, by the same steps as `npm start`; then a folder with production files only.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# The package lists first: after a change of code alone, Docker reuses the layer with the installed packages.
COPY package.json package-lock.json .npmrc ./
COPY scripts/package.json scripts/prepare.mjs scripts/builds.mjs scripts/precompress.mjs scripts/
RUN node -e "import('./scripts/prepare.mjs').then(({ prepare }) => prepare({ upTo: 'install' }))"
COPY . .
# Set, it adds the SDK for traces.
ARG OTEL_EXPORTER_OTLP_ENDPOINT
RUN npm run release -- /release

# Stage 2: production files only.
FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Blog" \
      org.opencontainers.image.description="Blog software: GraphQL, REST and server-rendered React over PostgreSQL" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
# One pool of malloc for all threads: some 30 MB less under load, for the same CPU time.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=1
COPY --from=build /release ./
# `docker compose exec app blog doctor`
RUN ln -s /app/bin/blog /usr/local/bin/blog && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
# The first start migrates, and may write demo content.
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
