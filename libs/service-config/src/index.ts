export { ConfigError, readConfig, type Environment } from './read-config.js';
