import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Paths of PEM files: an authority, a server's key with its certificate, a client's key and certificate. */
export interface Certificates {
  readonly ca: string;
  /** Key and certificate in one file. */
  readonly server: string;
  readonly serverKey: string;
  readonly serverCert: string;
  readonly clientKey: string;
  readonly clientCert: string;
}

/** Makes an authority of its own and certificates for 127.0.0.1, localhost and git.example.com with the `openssl` command. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const path = (name: string) => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=test authority',
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
  ]);
  await sign('server', 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:git.example.com');
  await sign('client', 'subjectAltName=DNS:client');
  await writeFile(
    path('server.pem'),
    `${await readFile(path('server.key'), 'utf8')}${await readFile(path('server.crt'), 'utf8')}`,
  );
  return {
    ca: path('ca.pem'),
    server: path('server.pem'),
    serverKey: path('server.key'),
    serverCert: path('server.crt'),
    clientKey: path('client.key'),
    clientCert: path('client.crt'),
  };

  async function sign(name: string, extension: string): Promise<void> {
    await run('openssl', [
      'req',
      '-x509',
      ...key,
      '-CA',
      path('ca.pem'),
      '-CAkey',
      path('ca.key'),
      '-subj',
      `/CN=${name}`,
      '-addext',
      extension,
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(`${name}.crt`),
    ]);
  }
}
