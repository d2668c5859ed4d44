import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLacksScope } from '../api/own-token.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { ScopedButton, ScopeNotice } from '../elements/scopes.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/tokens.js';
import { NewTokenDialog } from './new-token-dialog.js';
import { RevokeToken } from './revoke-token.js';
import { TokenTable } from './token-table.js';
import { type TokenDocument, tokensQuery } from './tokens.js';

/** Also required to list tokens. */
const SCOPE = 'tokens:write';

export function TokensScreen() {
  const lacks = useLacksScope(SCOPE);
  const { data: tokens, error, refetch } = useQuery({ ...tokensQuery, enabled: !lacks });
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<TokenDocument>();
  return (
    <Screen
      title={text('tokens.title')}
      lead={text('tokens.lead')}
      actions={
        <ScopedButton scope={SCOPE} leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
          {text('tokens.create')}
        </ScopedButton>
      }
    >
      <ScopeNotice scope={SCOPE} how={text('tokens.lacking')} />
      {error && !lacks && <Failure error={error} onRetry={() => void refetch()} />}
      {!tokens && !error && !lacks && <Skeleton height={240} radius="lg" />}
      {tokens && <TokenTable tokens={tokens} onRevoke={setRevoked} />}
      <NewTokenDialog opened={making} onClose={() => setMaking(false)} />
      <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} />
    </Screen>
  );
}
