/** The commander's configuration, defaults filled in, relative paths made absolute. Sections and keys as in the file. */
export interface CommanderConfig {
  readonly pwdencryptor: {
    /** AES key file, or the key itself as `hex:`, `base64:` or `raw:` text. */
    readonly key?: string;
  };
  readonly source: {
    /** A folder, or a Git URL with its credentials (`git://user:token@host/path.git`). Never logged as it is. */
    readonly path?: string;
    /** Branch, tag or commit; the repository's default branch when absent. */
    readonly ref?: string;
    /** Folder within the source that is the library's root. */
    readonly subfolder?: string;
    /** gitignore patterns of what is not loaded. */
    readonly exclude: readonly string[];
  };
  readonly destination: {
    /** ZooKeeper addresses (`host:port,host:port[/chroot]`), or `file:///folder` for a directory. */
    readonly urls?: string;
    /** Node under which the library is stored, such as `/library`. */
    readonly path: string;
    /** `user:password` for ZooKeeper's digest authentication. Never logged. */
    readonly auth?: string;
    /** How long to wait for a connection and for one operation, in milliseconds. */
    readonly timeoutMs: number;
  };
  readonly iplookup: {
    /** Folder with input files. */
    readonly source_path?: string;
    /** Folder for generated lookup files. */
    readonly destination_path?: string;
  };
  readonly http: {
    readonly address: string;
    readonly port: number;
    /** File with the bearer token; made at the first start when absent. */
    readonly token_file: string;
    readonly auth: 'token' | 'none';
  };
}
