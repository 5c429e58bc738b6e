// CPU seconds and memory of processes and all they have started, from /proc (Linux).
import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100; // USER_HZ, the same on every usual Linux
const KIB_PER_MIB = 1024;

// `processes` is [[name, pid], ...]; several of one name are added up
export function usage(processes) {
  const found = {};
  for (const [name, root] of processes) {
    const total = found[name] ??= { cpu: 0, mib: 0 };
    for (const pid of family(root)) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      total.cpu += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      total.mib += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / KIB_PER_MIB;
    }
  }
  return found;
}

function family(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' '));
  return [pid, ...children.filter(Boolean).flatMap(family)];
}

// CPU seconds that this machine has spent on anything since it started
export function machine() {
  const ticks = readFileSync('/proc/stat', 'latin1').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const [user, nice, system, , , irq, softirq, steal] = ticks;
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}
