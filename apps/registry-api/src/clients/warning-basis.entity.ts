import { Column, Entity, PrimaryColumn } from 'typeorm';

/** With which settings and rules the warnings of all Clients were last judged. One row; none before the first time. */
@Entity('warning_basis')
export class WarningBasis {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  @Column({ type: 'text' })
  basis!: string;
}
