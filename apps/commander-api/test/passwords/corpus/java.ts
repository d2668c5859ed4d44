import type { Shape } from './values.js';

/** Configuration of Java and .NET programs. */
export const JAVA: Readonly<Record<string, Shape>> = {
  'src/main/resources/application.properties': (v) => `# ===== data source
spring.datasource.url=jdbc:mysql://${v.host()}:3306/${v.word()}?useSSL=true
spring.datasource.username=${v.word()}
spring.datasource.password=${v.password('${DB_PASSWORD}')}
spring.mail.password: ${v.password('${MAIL_PASSWORD:}')}
server.ssl.key-store-password = ${v.password('${KEYSTORE_PASSWORD}')}
server.ssl.key-store=classpath:keystore.p12
jwt.secret=${v.token('${JWT_SECRET}')}
jwt.expiration=86400000
spring.security.oauth2.client.registration.web.client-id=${v.word()}-web
spring.security.oauth2.client.registration.web.client-secret=${v.token('${CLIENT_SECRET}')}
spring.security.oauth2.client.provider.web.token-uri=https://${v.host()}/oauth2/token
spring.flyway.locations=classpath:db/migration
#spring.rabbitmq.password=${v.password('${RABBITMQ_PASSWORD}')}
info.build.commit=${v.hex(40)}
`,
  'src/main/resources/application.yml': (v) => `spring:
  datasource:
    url: jdbc:postgresql://${v.host()}/${v.word()}
    password: \${DB_PASSWORD:${v.password('')}}
    hikari: {maximum-pool-size: 20, pool-name: ${v.word()}-pool}
  kafka:
    properties:
      sasl.jaas.config: org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${v.password('${KAFKA}')}";
  rabbitmq: {host: ${v.host()}, username: app, password: "${v.password('${RABBIT}')}"}
logging.level.org.springframework.security: DEBUG
app:
  id: ${v.uuid()}
  password-reset-url: https://${v.host()}/reset
  token-validity: 30m
`,
  'conf/server.xml': (v) => `<?xml version="1.0" encoding="UTF-8"?>
<Server port="8005" shutdown="SHUTDOWN">
  <GlobalNamingResources>
    <Resource name="jdbc/${v.word()}" auth="Container" type="javax.sql.DataSource"
              username="${v.word()}" password="${v.password('${db.password}')}"
              driverClassName="org.postgresql.Driver" url="jdbc:postgresql://${v.host()}/app"/>
  </GlobalNamingResources>
  <Connector port="8443" keystoreFile="conf/keystore.jks" keystorePass="${v.password('${keystore.pass}')}" clientAuth="false"/>
  <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="UserDatabase"/>
</Server>
`,
  'settings.xml': (v) => `<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0">
  <servers>
    <server>
      <id>${v.word()}-releases</id>
      <username>deployer</username>
      <password>${v.password('${env.NEXUS_PASSWORD}')}</password>
    </server>
  </servers>
  <mirrors><mirror><id>central</id><url>https://${v.host()}/maven2</url></mirror></mirrors>
</settings>
`,
  'META-INF/persistence.xml': (v) => `<persistence version="2.1">
  <persistence-unit name="${v.word()}">
    <properties>
      <property name="javax.persistence.jdbc.url" value="jdbc:h2:mem:${v.word()}"/>
      <property name="javax.persistence.jdbc.user" value="sa"/>
      <property name="javax.persistence.jdbc.password" value="${v.password('')}"/>
      <property name="hibernate.dialect" value="org.hibernate.dialect.H2Dialect"/>
    </properties>
  </persistence-unit>
</persistence>
`,
  'hibernate.cfg.xml': (v) => `<hibernate-configuration>
  <session-factory>
    <property name="hibernate.connection.url">jdbc:mysql://${v.host()}/shop</property>
    <property name="hibernate.connection.username">${v.word()}</property>
    <property name="hibernate.connection.password">${v.password('${db.password}')}</property>
    <property name="hibernate.hbm2ddl.auto">validate</property>
  </session-factory>
</hibernate-configuration>
`,
  'messages_en.properties': (v) => `login.title=Sign in
login.password=Password
login.password.placeholder=Enter your password
login.forgotPassword=Forgot your password?
password.tooShort=The password must have at least {0} characters.
error.token=Your session has expired. Request id: {0}
${v.word()}.label=Search
`,
  'appsettings.json': (v) => `{
  "ConnectionStrings": {
    "Default": "Server=${v.host()};Database=${v.word()};User Id=sa;Password=${v.password('#{DbPassword}#')};Encrypt=true"
  },
  "Jwt": { "Issuer": "https://${v.host()}", "Key": "${v.token('')}", "ExpiresMinutes": 30 },
  "Smtp": { "Host": "${v.host()}", "User": "noreply", "Password": "${v.password('')}" },
  "AzureAd": { "TenantId": "${v.uuid()}", "ClientId": "${v.uuid()}", "ClientSecret": "${v.token('')}" },
  "Logging": { "LogLevel": { "Default": "Information" } }
}
`,
  'web.config': (v) => `<configuration>
  <appSettings>
    <add key="ApiKey" value="${v.token('')}" />
    <add key="webpages:Version" value="3.0.0.0" />
  </appSettings>
  <connectionStrings>
    <add name="Main" connectionString="Data Source=${v.host()};Initial Catalog=shop;User ID=app;Password=${v.password('__DB_PASSWORD__')}" providerName="System.Data.SqlClient" />
  </connectionStrings>
  <machineKey decryption="AES" validation="HMACSHA256" />
</configuration>
`,
};
