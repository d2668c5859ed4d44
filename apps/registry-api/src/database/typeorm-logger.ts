import type { Logger as PinoLogger } from 'pino';
import type { Logger } from 'typeorm';

/**
 * Hands TypeORM's messages to the service's log; its own would go to the console. Queries are left out: their
 * parameters are none of a log's business, and their errors reach whoever asked.
 */
export class TypeormLogger implements Logger {
  constructor(private readonly logger: PinoLogger) {}

  logQuery(): void {}

  logQueryError(): void {}

  logQuerySlow(): void {}

  logSchemaBuild(message: string): void {
    this.logger.debug(message);
  }

  logMigration(message: string): void {
    this.logger.debug(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }
}
