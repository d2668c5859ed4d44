import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { inTransaction } from '../database/transaction.js';
import type { EventKey } from '../secrets/event-keys.js';
import type { GivenSetting, GivenSettings } from '../settings/given-settings.js';
import { REGISTRY } from './security-event.js';
import type { SecurityEvents } from './security-events.js';

/** The settings of a start. */
interface StoredSettings {
  /** Id of the key of the fingerprints. */
  readonly key_id: string;
  /** By name: the text, or a fingerprint of a secret. */
  readonly values: Readonly<Record<string, string>>;
}

/** Replicas that start together compare one after the other. */
const FORMER = new PreparedStatement<{ settings: StoredSettings | null }>(
  'settings_former',
  'SELECT settings FROM security_event_chain WHERE id = 1 FOR UPDATE',
);

/** `$1` JSON */
const STORE = new PreparedStatement<never>(
  'settings_store',
  'UPDATE security_event_chain SET settings = $1::jsonb WHERE id = 1',
);

/**
 * Records which settings differ from those of the last start, on whichever replica that was: their names, and the
 * values of those that are not secret. The first start records all that are set.
 */
export async function recordSettings(
  dataSource: DataSource,
  given: GivenSettings,
  events: SecurityEvents,
): Promise<void> {
  await inTransaction(dataSource, async (transaction) => {
    const [row] = await FORMER.run(transaction, []);
    const former = row?.settings;
    const { keys } = events;
    // A new pepper brings new keys, so both sides are fingerprinted under the former key while it is known.
    const formerKey = former && keys.find(former.key_id);
    const changed = changesBetween(former?.values ?? {}, valuesOf(given, formerKey ?? keys.current), given);
    if (former && Object.keys(changed).length === 0 && formerKey?.id === keys.current.id) return;
    const settings = { key_id: keys.current.id, values: valuesOf(given, keys.current) };
    await STORE.run(transaction, [JSON.stringify(settings)]);
    if (former && Object.keys(changed).length === 0) return;
    const details = { ...(former ? {} : { first: true }), changed };
    events.add(transaction, { kind: 'settings_changed', actor: REGISTRY, details });
  });
}

function valuesOf(given: GivenSettings, key: EventKey): Record<string, string> {
  return Object.fromEntries([...given].map(([name, setting]) => [name, valueOf(name, setting, key)]));
}

function valueOf(name: string, setting: GivenSetting, key: EventKey): string {
  if ('text' in setting) return setting.text.slice(0, MAX_TEXT);
  const content = Buffer.from(`svc-registry setting ${name}=${setting.secret}`);
  return `${FINGERPRINT}${key.mac(content).toString('base64url')}`;
}

const FINGERPRINT = 'fingerprint:';

const MAX_TEXT = 2_000;

type Change = { readonly before?: string; readonly after?: string } | 'secret changed';

/** What each setting was and is; a side without a value was not set. */
function changesBetween(
  former: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
  given: GivenSettings,
): Record<string, Change> {
  const changes: Record<string, Change> = {};
  for (const name of new Set([...Object.keys(former), ...Object.keys(present)].sort())) {
    const [before, after] = [former[name], present[name]];
    if (before === after) continue;
    const setting = given.get(name);
    const isSecret = (setting && 'secret' in setting) || before?.startsWith(FINGERPRINT);
    const sides = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    changes[name] = isSecret ? 'secret changed' : sides;
  }
  return changes;
}
