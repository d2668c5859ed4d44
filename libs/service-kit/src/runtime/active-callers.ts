/** How long after its last request a caller still counts as needing the server. */
export const ACTIVE_MS = 2_000;

/** When a caller last sent a request. */
interface Request {
  readonly caller: string;
  readonly at: number;
}

/** Knows whether several callers currently need the server: then none may use all of it. */
export class ActiveCallers {
  private latest: Request | undefined;
  /** The latest request of any caller other than `latest`'s. */
  private latestOther: Request | undefined;

  note(caller: string): void {
    if (this.latest?.caller !== caller) this.latestOther = this.latest;
    this.latest = { caller, at: performance.now() };
  }

  isAlone(caller: string): boolean {
    return !isActive(this.latest?.caller === caller ? this.latestOther : this.latest);
  }

  get areSeveral(): boolean {
    return isActive(this.latest) && isActive(this.latestOther);
  }
}

function isActive(request: Request | undefined): boolean {
  return request !== undefined && performance.now() - request.at <= ACTIVE_MS;
}

/** The callers of this process. */
export const activeCallers = new ActiveCallers();
