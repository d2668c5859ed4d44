import { Stack, TextInput } from '@mantine/core';
import type { ClientMetadata, RedirectMatch } from '@svc/client-metadata';
import { Notice } from '../elements/notice.js';
import { StatusBadge } from '../elements/status-badge.js';
import { WithReferences } from '../elements/external-link.js';
import { text } from '../texts/redirects.js';
import { RegisteredUris } from './registered-uris.js';
import classes from './redirects.module.css';
import { type Registered, testRedirectUri } from './test-redirect-uri.js';

interface RedirectTesterProps {
  readonly registered: Registered;
  /** The method that applies; without it, all are equal. */
  readonly method?: ClientMetadata['redirect_uri_validation_method'];
  readonly requested: string;
  readonly onChange: (requested: string) => void;
}

/** Tests a redirect URI as it is typed, with the registry's own code. */
export function RedirectTester({ registered, method, requested, onChange }: RedirectTesterProps) {
  const verdicts = testRedirectUri(requested, registered);
  const counting = verdicts.find((verdict) => verdict.method === method)?.match;
  return (
    <Stack gap="md">
      <TextInput
        label={text('redirects.requested')}
        description={text('redirects.requested.help')}
        value={requested}
        onChange={(event) => onChange(event.currentTarget.value)}
        placeholder="https://shop.example/callback"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        inputMode="url"
        className="mono-input"
      />
      {requested !== '' && (
        <>
          {counting && <CountingVerdict match={counting} />}
          <ul className={classes.methods}>
            {verdicts.map((verdict) => (
              <MethodVerdict key={verdict.method} {...verdict} counts={method === verdict.method} />
            ))}
          </ul>
        </>
      )}
      <RegisteredUris requested={requested} registered={registered.redirect_uris} match={counting} />
    </Stack>
  );
}

function CountingVerdict({ match }: { readonly match: RedirectMatch }) {
  return (
    <Notice
      kind={match.matches ? 'good' : 'bad'}
      role="status"
      title={text(match.matches ? 'redirects.accepted' : 'redirects.refused')}
    >
      <p>
        <WithReferences>{text('redirects.sentence', { message: match.message })}</WithReferences>
      </p>
    </Notice>
  );
}

interface MethodVerdictProps {
  readonly method: ClientMetadata['redirect_uri_validation_method'];
  readonly match: RedirectMatch;
  readonly counts: boolean;
}

function MethodVerdict({ method, match, counts }: MethodVerdictProps) {
  return (
    <li className={classes.method} data-counts={counts || undefined}>
      <div className={classes.methodHead}>
        <strong>
          <code>{method}</code>
        </strong>
        <StatusBadge kind={match.matches ? 'good' : 'bad'}>
          {text(match.matches ? 'redirects.accepts' : 'redirects.refuses')}
        </StatusBadge>
      </div>
      <p>
        <WithReferences>{text('redirects.sentence', { message: match.message })}</WithReferences>
      </p>
      <p className="hint">
        {text('redirects.rule')} <code>{match.rule}</code>
        {counts && <> · {text('redirects.counts')}</>}
      </p>
    </li>
  );
}
