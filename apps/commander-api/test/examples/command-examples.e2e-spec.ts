import { exampleFolderPerTest } from './example-folder.js';
import { examplesOf, type Proof, proveExample } from './prove-example.js';

const JWE = String.raw`eyJ[\w-]+\.\.[\w.-]+`;
const TYPE_PASSWORD = { prompt: 'Password: ', typed: 'hunter2\rhunter2\r' };
const ENCRYPTED = 'svccmd encpwd < password.txt > encrypted.txt';
/** Of a token of 256 bits. */
const TOKEN = /^svcc_[\w-]{43}\n$/;
const SITES = 'svccmd iplookup from-csv sites.csv -i ipv4';

/** Of the commands that need no server. */
const PROOFS: Readonly<Record<string, Proof>> = {
  'svccmd config init svccmd.conf': {
    without: ['svccmd.conf'],
    shows: /^wrote svccmd\.conf\n$/,
    leaves: 'svccmd -c svccmd.conf config',
  },
  'svccmd -c svccmd.conf library load': {
    shows: /^load 1 is done, version 2 /m,
    leaves: 'diff -r library/Parsers stored/library/Parsers',
  },
  'svccmd --json config': { shows: /^\{\s+"file": "[^"]+svccmd\.conf",\s+"settings": \[\s+\{\s+"section": / },
  'svccmd encpwd': { asks: TYPE_PASSWORD, shows: new RegExp(`\r\n${JWE}\r\n$`) },
  'svccmd encpwd < password.txt': { shows: new RegExp(`^${JWE}\n$`) },
  'svccmd encpwd --yaml': { asks: TYPE_PASSWORD, shows: new RegExp(`\r\n!encpwd "${JWE}"\r\n$`) },
  'svccmd encpwd --rotate library/*.yaml': {
    after: [
      'printf "password: %s # of the database\n" "$(svccmd encpwd --yaml < password.txt)" > library/collector.yaml',
      'cp library/collector.yaml before.yaml',
    ],
    shows: /^1 password in 1 file, now under key [\w-]{11}\n$/,
    leaves: `! cmp -s before.yaml library/collector.yaml && grep -q '# of the database' library/collector.yaml`,
  },
  'svccmd encpwd --recipient collector.pub < password.txt': {
    after: ['svccmd keygen --pair collector.key'],
    shows: /^eyJ[\w-]+\.[\w-]{54}\.[\w.-]+\n$/,
  },
  'svccmd encpwd --set database.yaml database.password': {
    asks: TYPE_PASSWORD,
    shows: /\r\ndatabase\.yaml: database\.password is encrypted with key [\w-]{11}\r\n$/,
    leaves: `grep -q 'password: !encpwd "eyJ.*" # of the database' database.yaml`,
  },
  'svccmd encpwd --file library/': {
    after: [`echo 'p: !encpwd-plain "hunter2"' > library/collector.yaml`],
    shows: /^library\/collector\.yaml: 1 password\n1 password encrypted with key [\w-]{11}\n$/,
    leaves: `grep -q '^p: !encpwd "eyJ' library/collector.yaml`,
  },
  'svccmd encpwd --rotate library/ --to-recipient collector.pub --dry-run': {
    after: [
      'svccmd keygen --pair collector.key',
      'printf "password: %s\n" "$(svccmd encpwd --yaml < password.txt)" > library/collector.yaml',
    ],
    shows:
      /^library\/collector\.yaml: 1 password of key [\w-]{11}\n1 password in 1 file, would be under key [\w-]{43}\n$/,
  },
  'svccmd checkpwd library/': { shows: /^\d+ files checked, no problems\n$/ },
  'svccmd checkpwd --allow checkpwd.allow library/': {
    after: ['echo "password: hunter2" > library/test.yaml', 'echo library/test.yaml > checkpwd.allow'],
    shows: /^\d+ files checked, no problems\n$/,
  },
  'svccmd checkpwd --fingerprints --json database.yaml': { shows: /"findings": \[\]/ },
  'svccmd decpwd < encrypted.txt': { after: [ENCRYPTED], shows: /^hunter2$/ },
  'svccmd decpwd --key-file old.key < encrypted.txt': {
    after: ['svccmd encpwd --key-file old.key < password.txt > encrypted.txt'],
    shows: /^hunter2$/,
  },
  'svccmd keygen password.key': {
    without: ['password.key'],
    shows: /^password\.key: key [\w-]{11} for A256GCM\n$/,
    leaves: ENCRYPTED,
  },
  'svccmd keygen new.key --with password.key': {
    after: [ENCRYPTED],
    shows: /^new\.key: key [\w-]{11} for A256GCM\n$/,
    leaves: 'svccmd decpwd --key-file new.key < encrypted.txt',
  },
  'svccmd keygen --pair collector.key': {
    shows: /^collector\.key: key [\w-]{43} for P-256; its public key is in collector\.pub\n$/,
    leaves:
      'svccmd encpwd --recipient collector.pub < password.txt > s && svccmd decpwd --key-file collector.key < s',
  },
  'svccmd config': { shows: /^iplookup\.source_path +\S+\/in +svccmd\.conf:6$/m },
  'svccmd -c my.yaml config --json': {
    shows: /"key": "log_level",\s+"value": "debug",\s+"origin": "my\.yaml:2"/,
  },
  'svccmd config init': {
    without: ['svccmd.conf'],
    shows: /^wrote svccmd\.conf\n$/,
    leaves: 'svccmd config',
  },
  'svccmd config init svccmd.yaml': {
    shows: /^wrote svccmd\.yaml\n$/,
    leaves: 'svccmd -c svccmd.yaml config',
  },
  'svccmd config schema > svccmd.schema.json': {
    shows: /^$/,
    leaves: `grep -q '"\\$schema"' svccmd.schema.json`,
  },
  'svccmd iplookup from-csv sites.csv -i ipv4': {
    shows: /^rows: +7 read, 7 kept$/m,
    leaves: 'test -s lookups/sites.mmdb',
  },
  'svccmd iplookup from-csv sites.csv -i ipv4 -g -o sites-2026': {
    shows: /^lookup: +sites-2026, IPv4 and IPv6$/m,
    leaves: 'gzip --test lookups/sites-2026.mmdb.gz',
  },
  'svccmd iplookup from-csv sites.csv -i ipv4 --guards --max-lost 2%': {
    after: [SITES],
    shows: /^guards: +--verify: 7 records, no problems$/m,
    leaves: 'test -s lookups/sites.mmdb',
  },
  'svccmd iplookup from-csv v4.csv v6.csv -i cidr -o places --join places.csv:place_id': {
    shows: /^rows: +2 read, 2 kept/m,
    leaves: 'svccmd iplookup show places 2001:db8::1 | grep -q "site: Depot"',
  },
  'svccmd iplookup from-vendor IP2LOCATION-LITE-DB1.CSV': {
    shows: /^rows: +1 read, 1 kept$/m,
    leaves: 'svccmd iplookup show IP2LOCATION-LITE-DB1 1.0.0.1 | grep -q "country_name: Australia"',
  },
  'svccmd iplookup from-vendor IP2LOCATION-LITE-DB11.IPV6.CSV.ZIP --gzip': {
    shows: /^rows: +41 read, /m,
    leaves: 'gzip --test lookups/IP2LOCATION-LITE-DB11.IPV6.mmdb.gz',
  },
  'svccmd iplookup from-maxmind GeoLite2-City-CSV_20260101.zip': {
    shows: /^rows: +1 read, 1 kept$/m,
    leaves: 'svccmd iplookup show GeoLite2-City 192.0.2.1 | grep -q Springfield',
  },
  'svccmd iplookup from-maxmind ./GeoIP2-City-CSV_20260101 --language en,de': {
    shows: /^rows: +1 read, 1 kept$/m,
    leaves: 'svccmd iplookup show GeoIP2-City 192.0.2.1 | grep -q Quellfeld',
  },
  'svccmd iplookup announce': {
    after: [SITES, 'echo "announce = /lookups" >> svccmd.conf'],
    shows: /^announced sites$/m,
    leaves: 'grep -q sites.mmdb stored/lookups/sites',
  },
  'svccmd iplookup show sites 10.1.2.3': { after: [SITES], shows: /^ {2}site: Warehouse, north$/m },
  'svccmd iplookup show sites 10.1.2.3 10.9.9.9': {
    after: [SITES],
    shows: /^10\.1\.2\.3 \(10\.1\.0\.0\/16\)\n[^]*^10\.9\.9\.9 \(\S+\): no record$/m,
  },
  'svccmd iplookup sync --dry-run': { shows: /^networks {2}outdated: it was never built$/m },
  'svccmd iplookup sync networks': {
    shows: /^networks {2}built \(\d+ records, \d+ bytes\): it was never built$/m,
    leaves: 'test -s lookups/networks.mmdb',
  },
  'svccmd iplookup explain networks 10.1.2.3': {
    after: ['svccmd iplookup sync networks'],
    shows: /^site: Warehouse, north {2}\(sites\.csv(:\d+)?\)$/m,
  },
  'svccmd iplookup guess sites.csv': { shows: /^svccmd iplookup from-csv sites\.csv -i auto$/m },
  'svccmd iplookup inspect sites': { after: [SITES], shows: /^IPv4: +\d+ networks, 16\d+ addresses/m },
  'svccmd iplookup inspect sites --out sites.svg': {
    after: [SITES],
    shows: /^picture: +sites\.svg$/m,
    leaves: 'grep -q "<svg" sites.svg',
  },
  'svccmd iplookup verify sites': { after: [SITES], shows: /^sound$/m },
  'svccmd iplookup verify sites --against sites.csv -i ipv4': {
    after: [SITES],
    shows: /^compared \d+ addresses of 7 rows: 0 differ\nsound$/m,
  },
  'svccmd iplookup versions sites': {
    after: [SITES, SITES],
    shows: /^version 1: written \S+Z, \d+ bytes\n$/,
  },
  'svccmd iplookup rollback sites': {
    after: [SITES, `sed -i 's/Head office/Main office/' in/sites.csv`, SITES],
    shows: /^sites\.mmdb: restored version 1, .*; the one before is version 2$/m,
    leaves: 'svccmd iplookup show sites 10.0.0.1 | grep -q "site: Head office"',
  },
  'svccmd iplookup rollback sites --to 1': {
    after: [SITES, `sed -i 's/Head office/Main office/' in/sites.csv`, SITES],
    shows: /^sites\.mmdb: restored version 1, /m,
    leaves: 'svccmd iplookup show sites 10.0.0.1 | grep -q "site: Head office"',
  },
  'svccmd iplookup delete sites': {
    after: [SITES],
    shows: /^deleted sites\.mmdb$/m,
    leaves: 'test ! -e lookups/sites.mmdb',
  },
  'svccmd iplookup diff old.mmdb sites': {
    after: [`${SITES} -o old`, `sed -i 's/Head office/Main office/' in/sites.csv`, SITES],
    shows: /^~ 10\.0\.0\.0\/16 site: "Head office" -> "Main office"$/m,
  },
  'svccmd iplookup dump sites > sites.csv': {
    after: [SITES],
    shows: /^$/,
    leaves: 'grep -q "^10.8.0.0,10.8.0.255,Remote access,vpn" sites.csv',
  },
  'svccmd token create writer --scope passwords:encrypt': {
    shows: TOKEN,
    leaves: 'grep -q sha256 svccmd.tokens.json',
  },
  'svccmd token create geo --scope iplookup:read iplookup:write --lookup sites --expires-in 90d': {
    shows: TOKEN,
    leaves: `grep -q '"expires_at"' svccmd.tokens.json`,
  },
  'svccmd token create loader --scope library:write --all-libraries > loader.token': {
    shows: /^$/,
    leaves: `grep -Eq '^svcc_[A-Za-z0-9_-]{43}$' loader.token`,
  },
  'svccmd token list': {
    after: ['svccmd --quiet token create writer --scope passwords:encrypt > writer.token'],
    shows: /^[0-9a-f]{12} {2}writer +valid +passwords:encrypt +never +never$/m,
  },
  'svccmd token list --json': { shows: /^\{\s+"tokens": \[\]\s+\}$/m },
  'svccmd token revoke writer': {
    after: ['svccmd --quiet token create writer --scope passwords:encrypt > writer.token'],
    shows: /^revoked token [0-9a-f]{12} \(writer\)\n$/,
    leaves: `svccmd token list | grep -q ' revoked '`,
  },
  'svccmd serve': {
    runsOn: true,
    shows: /"url":"http:\/\/127\.0\.0\.1:\d+"/,
    leaves: 'test -s svccmd.token',
  },
  'svccmd -c /etc/svccmd.conf serve': {
    runsOn: true,
    shows: /"url":"http:\/\/127\.0\.0\.1:\d+"/,
    leaves: 'test -s etc/svccmd.token',
  },
  'svccmd completion bash': { shows: /^complete -o default -F _svccmd svccmd$/m },
  'svccmd completion zsh': { shows: /^#compdef svccmd\n/ },
  'svccmd completion fish': { shows: /^complete -c svccmd /m },
};

const EXAMPLES = examplesOf((path) => !/^(client|library)\b/.test(path));

const folder = exampleFolderPerTest();

test('every example is tested', () => {
  expect(Object.keys(PROOFS).sort()).toEqual([...new Set(EXAMPLES)].sort());
});

test.each(Object.entries(PROOFS))('%s', async (line, proof) => {
  const env = { SVCCMD_DESTINATION_URLS: `file://${folder()}/stored`, SVCCMD_HTTP_PORT: '0' };
  await proveExample(line, proof, folder(), env);
});
