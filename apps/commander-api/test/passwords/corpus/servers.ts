import type { Shape } from './values.js';

/** Servers, shells and infrastructure. */
export const SERVERS: Readonly<Record<string, Shape>> = {
  '.env': (v) => `# Application
APP_ENV=production
APP_KEY=base64:${v.token('')}
APP_URL=https://${v.host()}
DB_CONNECTION=mysql
DB_HOST=127.0.0.1
DB_PASSWORD=${v.password('')}
MAIL_PASSWORD="${v.password('null')}"
AWS_ACCESS_KEY_ID=
AWS_SECRET_ACCESS_KEY=${v.token('')}
STRIPE_PUBLISHABLE_KEY=pk_test_${v.base64(24).replaceAll(/[+/]/g, 'x')}
export ADMIN_PW='${v.password('')}'
SENTRY_DSN=https://${v.hex(32)}@o${v.below(99_999)}.ingest.sentry.io/${v.below(99_999)}
`,
  '.env.production': (v) => `NEXT_PUBLIC_API=https://${v.host()}
NEXTAUTH_SECRET=${v.token('')}
DATABASE_URL="mysql://app:${v.password('${DB_PASSWORD}')}@${v.host()}:3306/app"
BUILD_ID=${v.hex(20)}
`,
  'etc/systemd/system/app.service': (v) => `[Unit]
Description=${v.word()}
[Service]
User=app
Environment=NODE_ENV=production
Environment=DB_PASSWORD=${v.password('%d/db')}
Environment="SMTP_USER=mailer" "SMTP_PASS=${v.password('%d/smtp')}"
EnvironmentFile=-/etc/default/${v.word()}
LoadCredential=db:/etc/credstore/db
ExecStart=/usr/bin/app --listen 127.0.0.1:${v.port()} --api-key ${v.token('${API_KEY}')}
`,
  'etc/nginx/conf.d/app.conf': (v) => `upstream ${v.word()} { server ${v.host()}:${v.port()}; }
server {
  listen 443 ssl;
  ssl_certificate_key /etc/ssl/private/${v.word()}.key;
  ssl_password_file /etc/keys/global.pass;
  auth_basic_user_file /etc/nginx/htpasswd;
  location / {
    proxy_pass http://${v.word()};
    proxy_set_header Authorization "Basic ${v.token('$http_authorization')}";
    proxy_set_header X-Request-Id $request_id;
  }
  location ~ \\.php$ { fastcgi_pass unix:/run/php/php8.2-fpm.sock; }
}
`,
  'terraform.tfvars': (v) => `region            = "eu-central-1"
db_username       = "${v.word()}"
db_password       = "${v.password('')}"
admin_password    = "${v.password('')}"
ami_id            = "ami-${v.hex(17)}"
kms_key_id        = "arn:aws:kms:eu-central-1:123456789012:key/${v.uuid()}"
github_token      = "${v.token('')}"
vpc_cidr          = "10.0.0.0/16"
`,
  'main.tf': (v) => `resource "aws_db_instance" "${v.word()}" {
  engine               = "postgres"
  username             = "app"
  password             = ${v.password('var.db_password').replace(/§(.*)§/, '"§$1§"')}
  parameter_group_name = "default.postgres15"
}
data "aws_secretsmanager_secret" "db" { name = "prod/db/password" }
provider "datadog" {
  api_key = "${v.token('${var.datadog_api_key}')}"
}
`,
  'inventory.ini': (v) => `[web]
${v.host()} ansible_user=deploy ansible_ssh_private_key_file=~/.ssh/id_ed25519
[db]
${v.host()} ansible_host=10.0.0.${v.below(255)} ansible_password=${v.password('"{{ vault_db }}"')}
[all:vars]
ansible_become_pass=${v.password('"{{ vault_become }}"')}
`,
  'my.cnf': (v) => `[client]
user=root
password=${v.password('')}
socket=/run/mysqld/mysqld.sock
[mysqld]
default_authentication_plugin=caching_sha2_password
validate_password.policy=MEDIUM
`,
  'redis.conf': (v) => `bind 127.0.0.1 -::1
port 6379
# requirepass foobared
${v.password('# none').replace(/^(?=§)/, 'requirepass ')}
masteruser replica
dir /var/lib/redis
`,
  'grafana.ini': (v) => `[database]
type = postgres
host = ${v.host()}:5432
;password =
password = """${v.password('$__file{/etc/secrets/db}')}"""
[security]
admin_user = admin
admin_password = ${v.password('$__env{ADMIN}')} ; change it
secret_key = ${v.token('$__env{KEY}')}
disable_gravatar = true
[auth.github]
client_id = ${v.hex(20)}
token_url = https://github.com/login/oauth/access_token
`,
  Dockerfile: (v) => `FROM node:20@sha256:${v.hex(64)}
ARG NPM_TOKEN
ENV NODE_ENV=production DB_PASSWORD=${v.password('""')}
RUN echo "//registry.example.com/:_authToken=${v.token('${NPM_TOKEN}')}" > .npmrc
COPY --chown=node:node . .
CMD ["node", "server.js"]
`,
  'backup.sh': (v) => `#!/bin/sh
set -eu
export PGPASSWORD=${v.password('"$(cat /run/secrets/pg)"')}
pg_dump -h ${v.host()} -U app app > dump.sql
mysql --user=root --password=${v.password('"$MYSQL_PWD"')} -e 'SELECT 1'
curl -u "ops:${v.password('$PASSWORD')}" https://${v.host()}/upload
curl -H "Authorization: Bearer ${v.token('$TOKEN')}" https://${v.host()}/
password=$(head -c 16 /dev/urandom | base64)
echo "$password" | passwd --stdin ops
`,
  'settings.py': (v) => `import os
SECRET_KEY = '${v.token('').replace(/^$/, 'unset')}'
DEBUG = False
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.postgresql',
        'USER': '${v.word()}',
        'PASSWORD': ${v.password("os.environ['DB_PASSWORD']").replace(/§(.*)§/, "'§$1§'")},
        'HOST': '${v.host()}',
    }
}
PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']
EMAIL_HOST_PASSWORD = os.getenv('EMAIL_HOST_PASSWORD')
def login(user, password=None, token=default_token):
    return authenticate(username=user, password=password)
`,
  'client.ts': (v) => `import { createClient } from './client.js';
export interface Credentials { user: string; password: string; token?: string }
const credentials = { user: '${v.word()}', password: ${v.password('process.env.PASSWORD').replace(/§(.*)§/, "'§$1§'")} };
const apiKey = ${v.token('readKey(1)').replace(/§(.*)§/, "'§$1§'")};
const password = document.querySelector('#password').value;
createClient({ ...credentials, key: apiKey, integrity: 'sha512-${v.base64(86)}==' });
`,
  'package-lock.json': (v) => `{
  "name": "${v.word()}",
  "lockfileVersion": 3,
  "packages": {
    "node_modules/passport": {
      "version": "${v.version()}",
      "resolved": "https://registry.example.com/passport/-/passport-0.7.0.tgz",
      "integrity": "sha512-${v.base64(86)}=="
    }
  }
}
`,
  'parameters.json': (v) => `[
  { "ParameterKey": "DBUser", "ParameterValue": "${v.word()}" },
  { "ParameterKey": "DBPassword", "ParameterValue": "${v.password('{{resolve:secretsmanager:db}}')}" },
  { "ParameterKey": "VpcId", "ParameterValue": "vpc-${v.hex(17)}" }
]
`,
  'wp-config.php': (v) => `<?php
define( 'DB_NAME', '${v.word()}' );
define( 'DB_PASSWORD', '${v.password('')}' );
define( 'DB_HOST', '${v.host()}' );
define( 'AUTH_KEY', '${v.token('')}' );
$table_prefix = 'wp_';
`,
  sasl_passwd: (v) => `[smtp.${v.host()}]:587 mailer:${v.password('x')}
`,
};
