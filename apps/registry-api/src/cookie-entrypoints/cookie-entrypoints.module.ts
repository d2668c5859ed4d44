import { Module } from '@nestjs/common';
import { CookieEntrypointsController } from './cookie-entrypoints.controller.js';
import { CookieEntrypointsService } from './cookie-entrypoints.service.js';

@Module({ controllers: [CookieEntrypointsController], providers: [CookieEntrypointsService] })
export class CookieEntrypointsModule {}
