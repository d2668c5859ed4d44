import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { ImportPlanner } from './import-planner.js';
import { ImportedSecrets } from './imported-secrets.js';
import { ImportController } from './import.controller.js';
import { ImportService } from './import.service.js';

@Module({
  imports: [ChangesModule, ClientsModule],
  controllers: [ImportController],
  providers: [ImportService, ImportPlanner, ImportedSecrets],
})
export class ImportModule {}
