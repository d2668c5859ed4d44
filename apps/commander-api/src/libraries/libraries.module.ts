import { Module } from '@nestjs/common';
import { LibrariesController } from './libraries.controller.js';
import { LibrariesService } from './libraries.service.js';

/** `/library/*` */
@Module({ controllers: [LibrariesController], providers: [LibrariesService] })
export class LibrariesModule {}
