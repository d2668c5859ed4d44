import { Injectable } from '@nestjs/common';

/** Tells those in this process who wait for changes that there are some, and those who pass it on to other processes. */
@Injectable()
export class ChangeSignal {
  private readonly listeners = new Set<(origin: Origin) => void>();

  /** Changes were committed: by this process, or by another one that said so. */
  announce(origin: Origin = 'here'): void {
    for (const listener of this.listeners) listener(origin);
  }

  /** @returns the way to be told no more */
  subscribe(listener: (origin: Origin) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Where changes were made. */
export type Origin = 'here' | 'elsewhere';
