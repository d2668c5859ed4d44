import { DEFAULT_CAPABILITIES } from '@svc/client-metadata';
import { checkVersion, type DecisiveChange, type DecisiveMetadata, replayChanges } from './replay-changes.js';

const CB = 'https://shop.example/cb';
const accepting: DecisiveMetadata = {
  redirect_uris: [CB],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  response_types: ['code'],
  code_challenge_method: 'none',
};
const refusing: DecisiveMetadata = { ...accepting, redirect_uris: [`${CB}/`] };
const REQUEST = {
  clientId: 'shop',
  parameters: { client_id: 'shop', redirect_uri: CB, response_type: 'code' },
  capabilities: DEFAULT_CAPABILITIES,
};
const registered: DecisiveChange = { kind: 'registered', before: null };
const updated = (before: DecisiveMetadata): DecisiveChange => ({ kind: 'updated', before });
const now = { enabled: true, metadata: refusing };

test('the latest change after which the request fails broke it, not an earlier or a later one', () => {
  const breaking = updated(accepting);
  const changes = [updated({ ...refusing }), breaking, updated(refusing), updated(accepting), registered];
  expect(replayChanges(REQUEST, now, changes)).toEqual({
    broken: { change: breaking, accepted: { enabled: true, metadata: accepting } },
  });
});

test.each<[string, typeof now | undefined, DecisiveChange[], DecisiveChange['kind']]>([
  ['disabling', { enabled: false, metadata: accepting }, [{ kind: 'disabled', before: null }], 'disabled'],
  ['deleting', undefined, [{ kind: 'deleted', before: accepting }], 'deleted'],
  [
    'deleting, before another Client got its id,',
    now,
    [registered, { kind: 'deleted', before: accepting }],
    'deleted',
  ],
])('%s may break it', (_case, version, changes, kind) => {
  expect(replayChanges(REQUEST, version, changes)).toMatchObject({ broken: { change: { kind } } });
});

test('a change while the Client was disabled is not what broke it', () => {
  const version = { enabled: false, metadata: refusing };
  const changes: DecisiveChange[] = [updated(accepting), { kind: 'disabled', before: null }, registered];
  expect(replayChanges(REQUEST, version, changes)).toMatchObject({
    broken: { change: { kind: 'disabled' } },
  });
});

test('none broke what was never accepted, and a replay goes on where another ended', () => {
  expect(replayChanges(REQUEST, now, [updated(refusing), registered])).toEqual({ before: undefined });
  const page = replayChanges(REQUEST, now, [updated(refusing)]);
  expect(page).toEqual({ before: now });
  expect(checkVersion(REQUEST, undefined).errors).toMatchObject([{ rule: 'client_deleted' }]);
});
