import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the changes were removed for their age. One row. */
@Entity('change_retention')
export class ChangeRetention {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  /** Sequence number of the last change that was removed; 0 when none was. */
  @Column({ name: 'pruned_to', type: 'bigint' })
  prunedTo!: string;
}
