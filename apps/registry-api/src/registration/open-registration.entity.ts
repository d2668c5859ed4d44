import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many Clients callers without a token registered on a day. */
@Entity('open_registration')
export class OpenRegistrationCount {
  /** An address, or the /64 of an IPv6 address; empty: all together. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  network!: string;

  /** The last day (UTC) with a registration, such as 2026-11-24. */
  @Column({ type: 'text', collation: 'C' })
  day!: string;

  @Column({ type: 'integer' })
  count!: number;
}
