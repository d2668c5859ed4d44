/** Reads a `StoredClient` from `client c`; conditions and order follow. */
export const SELECT_CLIENT = `
  SELECT c.client_id AS "clientId", c.metadata, c.cookie_name AS "cookieName", c.enabled, c.warnings, c.seq,
         c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         coalesce((
           SELECT json_agg(json_build_object('hint', s.hint, 'createdAt', s.created_at,
             'expiresAt', s.expires_at, 'lastUsedAt', s.last_used_at) ORDER BY s.id DESC)
           FROM client_secret s WHERE s.client_id = c.client_id
         ), '[]') AS secrets
  FROM client c`;
