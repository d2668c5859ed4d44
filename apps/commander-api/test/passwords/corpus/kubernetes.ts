import type { Shape } from './values.js';

/** Manifests, Helm values and compose files, as their documentation and public repositories write them. */
export const KUBERNETES: Readonly<Record<string, Shape>> = {
  'deploy/deployment.yaml': (v) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${v.word()}
  uid: ${v.uuid()}
  resourceVersion: "${v.below(1e9)}"
  annotations:
    checksum/config: ${v.hex(64)}
    deployment.kubernetes.io/revision: "12"
spec:
  replicas: 3
  template:
    spec:
      serviceAccountName: ${v.word()}-token-reader
      imagePullSecrets:
        - name: registry-credentials
      containers:
        - name: app
          image: registry.example.com/${v.word()}@sha256:${v.hex(64)}
          args: ["--listen=:8080", "--db-user=${v.word()}", "--db-password=${v.password('$(DB_PASSWORD)')}", "--token-ttl=3600s"]
          env:
            - name: DB_HOST
              value: ${v.host()}
            - name: DB_PASSWORD
              valueFrom:
                secretKeyRef: {name: ${v.word()}-db, key: password}
            - name: SPRING_DATASOURCE_PASSWORD
              value: "${v.password('$(DB_PASSWORD)')}"
            - name: REDIS_PASSWORD_FILE
              value: /run/secrets/redis
            - name: TOKEN_AUDIENCE
              value: https://${v.host()}/
            - name: POD_TEMPLATE_HASH
              value: ${v.hex(10)}
          envFrom:
            - secretRef: {name: ${v.word()}-secrets}
          volumeMounts:
            - {name: secrets, mountPath: /etc/secrets}
      volumes:
        - name: secrets
          secret: {secretName: ${v.word()}-secret}
`,
  'deploy/secret.yaml': (v) => `apiVersion: v1
kind: Secret
metadata:
  name: ${v.word()}-db
type: Opaque
stringData:
  username: ${v.word()}
  password: "${v.password('<path:secret/data/db#password>')}"
  redis-password: ${v.password("'{{ .Values.redis }}'")}
`,
  'deploy/configmap.yaml': (v) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${v.word()}-config}
data:
  LOG_LEVEL: info
  JWKS_URI: https://${v.host()}/.well-known/jwks.json
  application.properties: |
    server.port=${v.port()}
    spring.datasource.url=jdbc:postgresql://${v.host()}:5432/${v.word()}
    spring.datasource.username=${v.word()}
    spring.datasource.password=${v.password('${DB_PASSWORD}')}
    management.metrics.tags.application=${v.word()}
  ca.crt: |
    -----BEGIN CERTIFICATE-----
    ${v.base64(64)}
    ${v.base64(64)}
    -----END CERTIFICATE-----
`,
  'charts/app/values.yaml': (v) => `# Default values for ${v.word()}.
image:
  repository: quay.io/example/${v.word()}
  tag: "${v.version()}"
  digest: sha256:${v.hex(64)}
  pullSecrets: []
auth:
  enabled: true
  existingSecret: ""
  postgresPassword: ${v.password('""')}
  username: ${v.word()}
  password: ${v.password('""')}
  ## Name of the key in the existing secret
  secretKeys:
    adminPasswordKey: postgres-password
    userPasswordKey: password
smtp:
  host: ${v.host()}
  user: mailer
  pass: "${v.password('')}"
ingress:
  hostname: ${v.host()}
  tls: [{secretName: ${v.word()}-tls}]
extraEnvVars:
  - name: API_TOKEN
    value: ${v.token('"$(API_TOKEN)"')}
  - {name: PASSWORD_MIN_LENGTH, value: "12"}
`,
  'docker-compose.yml': (v) => `services:
  db:
    image: postgres:${v.below(5) + 12}
    environment:
      POSTGRES_USER: ${v.word()}
      POSTGRES_PASSWORD: ${v.password('${POSTGRES_PASSWORD:?required}')}
      POSTGRES_PASSWORD_FILE: /run/secrets/pg
  cache:
    image: redis@sha256:${v.hex(64)}
    command: redis-server --requirepass ${v.password('${REDIS_PASSWORD}')} --maxmemory 64mb
  app:
    build:
      context: .
      args:
        - NPM_TOKEN=${v.token('${NPM_TOKEN}')}
    environment:
      - DB_HOST=${v.host()}
      - DB_PASSWORD=${v.password('${DB_PASSWORD}')}
      - SESSION_SECRET=${v.token('${SESSION_SECRET}')}
      - DATABASE_URL=postgres://${v.word()}:${v.password('${DB_PASSWORD}')}@${v.host()}:5432/app
      - COMMIT=${v.hex(40)}
    labels:
      - "traefik.http.routers.app.rule=Host(\`${v.host()}\`)"
secrets:
  pg: {file: ./secrets/pg.txt}
`,
  'group_vars/all.yml': (v) => `---
ansible_user: deploy
ansible_become_password: "${v.password('{{ vault_become_password }}')}"
mysql_root_password: ${v.password("'{{ vault_mysql_root }}'")}
db_users:
  - {name: ${v.word()}, password: "${v.password("{{ lookup('env', 'DB') }}")}", priv: "*.*:ALL"}
password_hash_algorithm: sha512
admin_password_hash: $6$rounds=656000$${v.base64(16).replaceAll('+', '.')}$${v.base64(86).replaceAll('+', '.')}
ssl_certificate_key_path: /etc/ssl/private/${v.word()}.key
public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${v.base64(43)} deploy@${v.word()}
snmp_community: public
wifi: {ssid: ${v.word()}, psk: "${v.password('{{ vault_psk }}')}"}
`,
  '.gitlab-ci.yml': (v) => `variables:
  DOCKER_TLS_CERTDIR: "/certs"
  SONAR_TOKEN: "${v.token('$SONAR_TOKEN')}"
  GIT_DEPTH: "20"
deploy:
  image: alpine@sha256:${v.hex(64)}
  script:
    - docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" $CI_REGISTRY
    - helm upgrade ${v.word()} ./chart --set auth.password=${v.password('$DB_PASSWORD')}
    - curl -H "PRIVATE-TOKEN: $TOKEN" https://${v.host()}/api
  rules: [{if: '$CI_COMMIT_BRANCH == "main"'}]
`,
};
