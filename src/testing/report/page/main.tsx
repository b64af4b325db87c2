import { render } from 'preact';
import type { ReportData } from '../data/data.ts';
import { App } from './app.tsx';
import { LiveApp } from './live-app.tsx';
import './style.css';

const app = document.querySelector('#app');
// A report file contains its data. The live page loads it.
const block = document.querySelector('#report');
if (app) render(block ? <App data={JSON.parse(block.textContent) as ReportData} /> : <LiveApp />, app);
