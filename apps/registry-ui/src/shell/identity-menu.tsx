import { Anchor, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signOutInAllTabs } from '../api/other-tabs.js';
import { ownTokenQuery } from '../api/own-token.js';
import { signOut, useSession } from '../api/session.js';
import { settings } from '../api/settings.js';
import { useExactTimes } from '../elements/exact-times.js';
import { Icon } from '../elements/icon.js';
import { leaveScreen } from '../elements/leave-screen.js';
import { RelativeTime } from '../elements/relative-time.js';
import { signOutEverywhere } from '../sign-in/issuer/sign-out-at-issuer.js';
import { text } from '../texts/text.js';
import { reachOf } from '../tokens/reach.js';
import classes from './identity-menu.module.css';
import sidebar from './sidebar.module.css';

interface IdentityMenuProps {
  /** Called on signing out, to close a sidebar that covers the screen. */
  readonly onLeave: (() => void) | undefined;
}

/** Who is signed in and with which rights, the theme, how times are shown, and signing out. */
export function IdentityMenu({ onLeave }: IdentityMenuProps) {
  return (
    <>
      <Rights />
      <Theme />
      <Times />
      <div className={classes.links}>
        <Anchor href="/docs" target="_blank" rel="noopener" size="sm">
          {text('identity.api')}
        </Anchor>
        <span>{text('identity.version', { version: String(import.meta.env['CONSOLE_VERSION']) })}</span>
      </div>
      <SignOut onLeave={onLeave} />
    </>
  );
}

function Rights() {
  const { data: own } = useQuery(ownTokenQuery);
  if (!own) return null;
  return (
    <dl className={classes.rights}>
      <dt>{text('identity.scopes')}</dt>
      <dd>{own.scopes.join(', ')}</dd>
      <dt>{text('identity.reach')}</dt>
      <dd className="foreign">{reachOf(own)}</dd>
      <dt>{text('tokens.column.expires')}</dt>
      <dd>
        <End at={own.expires_at} />
      </dd>
    </dl>
  );
}

/** @param at null: never; undefined: with the issuer's session, which renews itself */
function End({ at }: { readonly at: string | null | undefined }) {
  if (at === null) return text('identity.never');
  if (at !== undefined) return <RelativeTime at={at} />;
  return <span className="foreign">{text('identity.issuer', { issuer: settings.oidc?.issuer ?? '' })}</span>;
}

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={text('identity.theme')}
      fullWidth
      size="xs"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      data={[
        { value: 'light', label: text('identity.light') },
        { value: 'dark', label: text('identity.dark') },
        { value: 'auto', label: text('identity.system') },
      ]}
    />
  );
}

function Times() {
  const [exact, setExact] = useExactTimes();
  return (
    <SegmentedControl
      aria-label={text('identity.times')}
      fullWidth
      size="xs"
      value={exact ? 'exact' : 'relative'}
      onChange={(value) => setExact(value === 'exact')}
      data={[
        { value: 'relative', label: text('identity.relative') },
        { value: 'exact', label: text('identity.exact') },
      ]}
    />
  );
}

function SignOut({ onLeave }: IdentityMenuProps) {
  // An access token of the issuer has no id in the registry.
  const { data: own } = useQuery(ownTokenQuery);
  const session = useSession();
  const { oidc } = settings;
  const atIssuer = oidc !== undefined && (session?.renewal !== undefined || (own && own.id === undefined));
  const leave = (act: () => void) => () => {
    onLeave?.();
    leaveScreen(act);
  };
  const everywhere = () => {
    if (atIssuer) void signOutEverywhere(oidc);
    else signOutInAllTabs();
  };
  return (
    <div>
      <UnstyledButton className={sidebar.place} onClick={leave(signOut)} w="100%">
        <Icon name="leave" />
        {text('signOut.do')}
      </UnstyledButton>
      <UnstyledButton className={sidebar.place} onClick={leave(everywhere)} w="100%">
        <Icon name="leave" />
        {text('signOut.everywhere')}
      </UnstyledButton>
      <Text size="xs" c="dimmed" px="sm" className="foreign">
        {atIssuer
          ? text('signOut.everywhere.issuer', { issuer: oidc.issuer })
          : text('signOut.everywhere.token')}
      </Text>
    </div>
  );
}
