import { Module } from '@nestjs/common';
import { UiController } from './ui.controller.js';
import { UiFiles } from './ui-files.js';

/** The admin web UI under /ui. */
@Module({ controllers: [UiController], providers: [{ provide: UiFiles, useFactory: () => new UiFiles() }] })
export class UiModule {}
