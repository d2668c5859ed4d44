import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { sendFile, type SourceServer, startSourceServer } from './source-server.js';

/** Settings that allow sources from the test's server. */
export const ALLOWED = 'hosts = localhost\nprivate_networks = 127.0.0.0/8, ::1\n';

/** A folder of lookups whose sources are fetched. */
export interface RemoteFolder extends LookupFolder {
  /** @param settings in the section `iplookup`, and what follows it */
  configure(settings?: string): void;
  /** Declares the lookup `geo` of one layer. @param keys of the layer */
  declareSource(path?: string, keys?: string): void;
  /** What `geo` has of 10.0.0.1. */
  find(column: string): unknown;
}

/** Removed by `removeLookupFolders`. */
export function makeRemoteFolder({ origin, ca }: SourceServer): RemoteFolder {
  const folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  const declarations = join(folder.path, 'lookups.yaml');
  const remote: RemoteFolder = {
    ...folder,
    configure: (settings = ALLOWED) =>
      writeFileSync(
        join(folder.path, 'svccmd.conf'),
        `[pwdencryptor]\nkey = password.key\n[iplookup]\nsource_path = in\ndestination_path = out\ndeclarations = lookups.yaml\nca = ${ca}\n${settings}`,
      ),
    declareSource: (path = '/base.csv', keys = '') =>
      writeFileSync(
        declarations,
        `lookups: {geo: {layers: [{source: "${origin}${path}", input_ip_format: cidr${keys}}]}}`,
      ),
    find: (column) => openLookup(readFileSync(join(folder.lookups, 'geo.mmdb'))).find('10.0.0.1')?.[column],
  };
  remote.configure();
  remote.declareSource();
  return remote;
}

/** What the source is at first. */
export const ROWS = 'network,country\n10.0.0.0/8,CZ\n';

/** A new folder for each test, whose source comes from one server. */
export function useRemoteFolder(): { readonly server: SourceServer; readonly folder: RemoteFolder } {
  let server: SourceServer;
  let folder: RemoteFolder;
  beforeAll(async () => {
    server = await startSourceServer();
  });
  afterAll(async () => {
    await server.stop();
    removeLookupFolders();
  });
  beforeEach(() => {
    folder = makeRemoteFolder(server);
    server.requests = [];
    server.answers = { '/base.csv': sendFile(ROWS) };
  });
  return {
    get server() {
      return server;
    },
    get folder() {
      return folder;
    },
  };
}
