import type { Shape } from './values.js';

/** Files that the rules were not adjusted to: keep it so, or write others. */
export const UNSEEN: Readonly<Record<string, Shape>> = {
  'config/database.yml': (v) => `default: &default
  adapter: postgresql
  pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
production:
  <<: *default
  database: ${v.word()}_production
  username: app
  password: ${v.password("<%= ENV['DATABASE_PASSWORD'] %>")}
`,
  '.npmrc': (v) => `registry=https://${v.host()}/npm/
//${v.host()}/:_authToken=${v.token('${NPM_TOKEN}')}
always-auth=true
`,
  '.netrc': (v) => `machine ${v.host()}
  login ${v.word()}
${v.password('  account x').replace(/^(?=§)/, '  password ')}
`,
  credentials: (v) => `[default]
aws_access_key_id = ${v.hex(20).toUpperCase()}
aws_secret_access_key = ${v.token('')}
region = eu-west-1
`,
  'wg0.conf': (v) => `[Interface]
Address = 10.8.0.${v.below(255)}/24
PrivateKey = ${v.token('')}
[Peer]
PublicKey = ${v.base64(43)}=
PresharedKey = ${v.token('')}
Endpoint = ${v.host()}:51820
`,
  '.github/workflows/ci.yml': (v) => `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    permissions: {id-token: write}
    services:
      postgres:
        image: postgres:16
        env: {POSTGRES_PASSWORD: "${v.password('${{ secrets.PG }}')}"}
        options: --health-cmd pg_isready
    steps:
      - uses: actions/checkout@${v.hex(40)}
      - run: npm publish
        env:
          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}
          CACHE_KEY: build-${v.hex(12)}
`,
  'prometheus.yml': (v) => `scrape_configs:
  - job_name: ${v.word()}
    basic_auth: {username: prom, password: '${v.password('')}'}
    bearer_token_file: /var/run/secrets/token
    static_configs: [{targets: ["${v.host()}:9100"]}]
remote_write:
  - url: https://${v.host()}/api/v1/push
    authorization: {credentials: "${v.token('')}"}
`,
  'connector.json': (v) => `{
  "name": "${v.word()}-sink",
  "config": {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "connection.url": "jdbc:postgresql://${v.host()}/dw",
    "connection.password": "${v.password('${file:/etc/kafka/db.properties:password}')}",
    "value.converter.schema.registry.basic.auth.user.info": "app:${v.password('${env:SR}')}",
    "sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required username='app' password='${v.password('${file:/x:y}')}';"
  }
}
`,
  'logstash.conf': (v) => `input { beats { port => 5044 ssl_key => "/etc/pki/beats.key" } }
output {
  elasticsearch {
    hosts => ["https://${v.host()}:9200"]
    user => "logstash"
    password => "${v.password('${ES_PWD}')}"
    index => "logs-%{+YYYY.MM.dd}"
  }
}
`,
  'realm.json': (v) => `{
  "id": "${v.uuid()}",
  "realm": "${v.word()}",
  "accessTokenLifespan": 300,
  "passwordPolicy": "length(12) and notUsername",
  "clients": [
    { "id": "${v.uuid()}", "clientId": "web", "secret": "${v.password('**********')}", "redirectUris": ["https://${v.host()}/*"] }
  ],
  "components": [{ "providerId": "rsa-generated", "config": { "kid": ["${v.base64(43).replaceAll(/[+/]/g, '_')}"] } }]
}
`,
  '.pgpass': (v) => `# host:port:database:user:password
${v.host()}:5432:${v.word()}:app:${v.password('')}
`,
  'Settings.kt': (v) => `object Settings {
    val dbPassword: String = ${v.password('System.getenv("DB_PASSWORD")').replace(/§(.*)§/, '"§$1§"')}
    private val passwordEncoder = BCryptPasswordEncoder()
    fun check(user: User, password: String) = passwordEncoder.matches(password, user.passwordHash)
    val client = Client(Credentials.basic("app", "${v.password('')}"))
}
`,
  'pipeline.yaml': (v) => `# ids that a program drew
nodes:
  - {node: ${v.base64(22).replaceAll(/[+/]/g, 'k')}, zone: eu-1}
  - {node: ${v.base64(22).replaceAll(/[+/]/g, 'k')}, zone: eu-2}
cursor: ${v.hex(32)}
dashboard: https://${v.host()}/d/${v.base64(9).replaceAll(/[+/]/g, 'x')}/overview
license: ${v.token('community')}
webhook: https://${v.host()}/hooks/${v.uuid()}
login: ${v.password('nobody')}
`,
};
