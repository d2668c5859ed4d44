import { actorLine, type Change } from '../changes/change-kinds.js';
import { Moment } from '../elements/moment.js';
import { text } from '../texts/text.js';

/** Who changed something, and when; as much as is known. */
export function ChangedBy({ change }: { readonly change: Change | undefined }) {
  if (!change) return text('merge.changedBy.them');
  return (
    <span className="foreign">
      {text('client.changed')} {actorLine(change.actor)}, <Moment at={change.at} />
    </span>
  );
}
