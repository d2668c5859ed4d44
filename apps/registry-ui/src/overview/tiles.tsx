import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../elements/icon.js';
import { formatNumber, text, type TextName } from '../texts/text.js';
import classes from './overview.module.css';
import type { Stats } from './stats.js';

/** Secrets that expire this soon are worth a look. */
const SOON_DAYS = 7;

export function Tiles({ stats }: { readonly stats: Stats }) {
  const { clients, enabled, disabled, with_warnings: warned, secrets } = stats;
  const soon = secrets.expiring.find(({ within_days }) => within_days === SOON_DAYS)?.count ?? 0;
  return (
    <ul className={classes.tiles}>
      <Tile name="overview.clients" value={clients} icon="clients">
        <Share part={enabled} whole={clients} />
        <Link to="/clients" search={{ enabled: 'false' }}>
          {text('overview.disabled', { count: disabled })}
        </Link>
      </Tile>
      <Tile name="overview.warned" value={warned} icon="warning" tone={warned > 0 ? 'warn' : undefined}>
        <Share part={warned} whole={clients} />
        <Link to="/clients" search={{ has_warnings: 'true' }}>
          {text('overview.warned.show')}
        </Link>
      </Tile>
      <Tile name="overview.expiring" value={soon} icon="clock" tone={soon > 0 ? 'warn' : undefined}>
        <span className="hint">{text('overview.expiring.what')}</span>
        <Link to="/clients" search={{ secret_expires_within: String(SOON_DAYS) }}>
          {text('overview.expiring.show')}
        </Link>
      </Tile>
      <Tile name="overview.unused" value={secrets.never_used} icon="key">
        <Share part={secrets.never_used} whole={secrets.count} />
        <span className="hint">{text('overview.unused.of', { count: secrets.count })}</span>
        <Link to="/clients" search={{ secret_never_used: 'true' }}>
          {text('overview.unused.show')}
        </Link>
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly name: TextName;
  readonly value: number;
  readonly icon: IconName;
  readonly tone?: 'warn' | undefined;
  readonly children: ReactNode;
}

function Tile({ name, value, icon, tone, children }: TileProps) {
  return (
    <li className={classes.tile} data-tone={tone}>
      <span className={classes.tileName}>
        <Icon name={icon} size={14} />
        {text(name)}
      </span>
      <strong className="numeric">{formatNumber(value)}</strong>
      {children}
    </li>
  );
}

/** A share drawn as a bar; the numbers next to it say the same. */
function Share({ part, whole }: { readonly part: number; readonly whole: number }) {
  return (
    <span className={classes.share} aria-hidden>
      <span style={{ width: `${whole === 0 ? 0 : (100 * part) / whole}%` }} />
    </span>
  );
}
