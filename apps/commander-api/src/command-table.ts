import type { CommandEntry } from './command-line/command-context.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'encpwd',
    description: 'encrypt a password, or encrypt and rotate the passwords in files',
    load: async (context) => (await import('./passwords/encpwd.command.js')).encpwdCommand(context),
  },
  {
    name: 'decpwd',
    description: 'decrypt a password',
    load: async (context) => (await import('./passwords/decpwd.command.js')).decpwdCommand(context),
  },
  {
    name: 'checkpwd',
    description: 'find passwords in plain text, and encrypted ones that cannot be decrypted',
    load: async (context) => (await import('./passwords/checkpwd.command.js')).checkpwdCommand(context),
  },
  {
    name: 'keygen',
    description: 'create a key file for encpwd',
    load: async (context) => (await import('./passwords/keygen.command.js')).keygenCommand(context),
  },
  {
    name: 'client',
    description: 'manage the clients of a registry',
    load: async (context) => (await import('./clients/client.command.js')).clientCommand(context),
  },
  {
    name: 'library',
    description: 'load a library into the coordination cluster',
    load: async (context) => (await import('./libraries/library.command.js')).libraryCommand(context),
  },
  {
    name: 'config',
    description: 'show the effective configuration, or create a configuration file',
    load: async (context, settings) =>
      (await import('./show-config/config.command.js')).configCommand(context, () => settings.configFile),
  },
  {
    name: 'iplookup',
    description: 'generate and query IP lookup files',
    load: async (context) => (await import('./iplookup/iplookup.command.js')).iplookupCommand(context),
  },
  {
    name: 'token',
    description: 'manage API tokens of the server',
    load: async (context) => (await import('./tokens/token.command.js')).tokenCommand(context),
  },
  {
    name: 'serve',
    description: 'serve the HTTP API',
    load: async (context) => (await import('./server/serve.command.js')).serveCommand(context),
  },
  {
    name: 'completion',
    description: 'print a completion script for bash, zsh or fish',
    load: async (context) =>
      (await import('./completion/completion.command.js')).completionCommand(context, COMMANDS),
  },
];
