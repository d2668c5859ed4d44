/**
 * How far `client.last_used_at` may lag behind the usage counts, in SQL: updating it with each count would double their cost.
 */
export const LAST_USE_STEP = `interval '1 hour'`;

/**
 * SQL: whether the Client `c` was used at this time or later. Its secrets' last uses are known from before usage was recorded.
 *
 * @param time a timestamptz
 * @param suffix what ends each subquery, such as OFFSET 0
 */
export function isUsedSince(time: string, suffix = ''): string {
  return `(EXISTS (
      SELECT FROM client_last_use u
      WHERE u.client_id = c.client_id AND u.used_at >= ${time} - ${LAST_USE_STEP} AND (u.used_at >= ${time} OR EXISTS (
        SELECT FROM client_usage n
        WHERE n.client_id = c.client_id AND n.last_at >= ${time} AND NOT n.use ? 'refusal'
      ))${suffix})
    OR EXISTS (
      SELECT FROM client_secret s WHERE s.client_id = c.client_id AND s.last_used_at >= ${time}${suffix}))`;
}
