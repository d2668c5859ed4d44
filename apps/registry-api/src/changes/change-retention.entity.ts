import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far old changes were deleted. One row. */
@Entity('change_retention')
export class ChangeRetention {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  /** Sequence number of the last deleted change; 0 before the first. */
  @Column({ name: 'pruned_to', type: 'bigint' })
  prunedTo!: string;
}
