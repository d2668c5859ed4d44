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
const registered: DecisiveChange = { kind: 'registered', before: null, after: null };
const updated = (before: DecisiveMetadata, after: DecisiveMetadata | null = null): DecisiveChange => ({
  kind: 'updated',
  before,
  after,
});
const now = { enabled: true, metadata: refusing };

test('the latest change after which the request fails broke it, not an earlier or a later one', () => {
  const breaking = updated(accepting);
  const changes = [updated({ ...refusing }), breaking, updated(refusing), updated(accepting), registered];
  expect(replayChanges(REQUEST, now, changes)).toEqual({
    broken: { change: breaking, accepted: { enabled: true, metadata: accepting } },
  });
});

test.each<[string, typeof now | undefined, DecisiveChange[], DecisiveChange['kind']]>([
  [
    'disabling',
    { enabled: false, metadata: accepting },
    [{ kind: 'disabled', before: null, after: null }],
    'disabled',
  ],
  ['deleting', undefined, [{ kind: 'deleted', before: accepting, after: null }], 'deleted'],
  [
    'deleting, before another Client got its id,',
    now,
    [registered, { kind: 'deleted', before: accepting, after: null }],
    'deleted',
  ],
])('%s may break it', (_case, version, changes, kind) => {
  expect(replayChanges(REQUEST, version, changes)).toMatchObject({ broken: { change: { kind } } });
});

test('a change while the Client was disabled is not what broke it', () => {
  const version = { enabled: false, metadata: refusing };
  const changes: DecisiveChange[] = [
    updated(accepting),
    { kind: 'disabled', before: null, after: null },
    registered,
  ];
  expect(replayChanges(REQUEST, version, changes)).toMatchObject({
    broken: { change: { kind: 'disabled' } },
  });
});

test('a change while it was disabled broke it, if it is enabled again', () => {
  const breaking = updated(accepting, refusing);
  const [enabled, disabled] = (['enabled', 'disabled'] as const).map((kind): DecisiveChange => ({
    kind,
    before: null,
    after: null,
  }));
  const changes = [enabled!, breaking, disabled!, registered];
  expect(replayChanges(REQUEST, now, changes)).toMatchObject({ broken: { change: breaking } });
});

test('a change that left the request accepted did not break it, but one that is not seen', () => {
  const changes = [updated(refusing, accepting), registered];
  expect(replayChanges(REQUEST, now, changes)).toEqual({ unseen: { enabled: true, metadata: accepting } });
  expect(replayChanges(REQUEST, now, [updated(accepting, refusing)])).toHaveProperty('broken');
});

test('none broke what was never accepted, and a replay goes on where another ended', () => {
  expect(replayChanges(REQUEST, now, [updated(refusing), registered])).toEqual({ before: undefined });
  const page = replayChanges(REQUEST, now, [updated(refusing)]);
  expect(page).toEqual({ before: now });
  expect(checkVersion(REQUEST, undefined).errors).toMatchObject([{ rule: 'client_deleted' }]);
});
