import { render } from 'preact';
import type { ReportData } from '../data/data.ts';
import { App } from './app.tsx';
import { LiveApp } from './live-app.tsx';
import { TemplatesApp } from './templates/app.tsx';
import { showTheme } from './parts/theme.ts';
import './style.css';
import './templates/templates.css';

const app = document.querySelector<HTMLElement>('#app');
// A report file contains its data. The live page loads it.
const block = document.querySelector('#report');
const data = block ? (JSON.parse(block.textContent) as ReportData) : undefined;
if (data?.changes && location.hash === '') location.replace('#/changes');
showTheme();
const served = app?.dataset.page === 'templates' ? <TemplatesApp /> : <LiveApp />;
if (app) render(data ? <App data={data} /> : served, app);
