/** The arguments of `audit` cannot be used. */
export class AuditUsageError extends Error {
  override readonly name = 'AuditUsageError';
}

/** The record of security events is not as the registry stored it. */
export class BrokenRecordError extends Error {
  override readonly name = 'BrokenRecordError';
}
