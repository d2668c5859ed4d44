import { Injectable } from '@nestjs/common';

/** Signals committed changes within this process, and to what forwards the signal to other processes. */
@Injectable()
export class ChangeSignal {
  private readonly listeners = new Set<(origin: Origin) => void>();

  /** @param origin which process committed the changes */
  announce(origin: Origin = 'here'): void {
    for (const listener of this.listeners) listener(origin);
  }

  /** @returns unsubscribes */
  subscribe(listener: (origin: Origin) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export type Origin = 'here' | 'elsewhere';
