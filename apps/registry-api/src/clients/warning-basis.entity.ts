import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings and rules with which all Clients' warnings were last computed. One row; none before the first time. */
@Entity('warning_basis')
export class WarningBasis {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  @Column({ type: 'text' })
  basis!: string;
}
