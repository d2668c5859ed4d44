/** SQLSTATE query_canceled (PostgreSQL documentation, appendix A): a statement took longer than it may. */
const QUERY_CANCELED = '57014';

/** Whether PostgreSQL ended a statement for its time; the same one may succeed when there is less to do or to wait for. */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === QUERY_CANCELED;
}
