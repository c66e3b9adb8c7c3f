// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

(() => {
  const {byId, element, bytes, count, share, time, table, cards, ask, repeat} = page;
  const HISTORY_MILLIS = 60000;

  // What the charts show: minutes, and minutes of a point.
  const RANGES = [['1 hour', 60, 1], ['6 hours', 360, 5], ['24 hours', 1440, 15]];
  const CHARTS = [
    ['bytes', value => bytes(value) + '/s', [['from SSD', '--ssd', 'ssd'], ['from DISK', '--disk', 'disk']]],
    ['hits', value => Math.round(value) + ' %', [['from SSD', '--ssd', 'hits']]],
    ['moved', value => bytes(value) + '/s', [['promoted', '--ssd', 'promoted'], ['written back', '--disk', 'demoted']]],
  ];

  // Steps between the lines of a chart of bytes: powers of two, as the units are.
  const STEPS = Array.from({length: 51}, (none, power) => 2 ** power);

  const plots = {};
  let history = null;
  let asked = 0;
  let range = RANGES[0];

  const clock = seconds => new Date(seconds * 1000).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', hour12: false});
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const sum = (values, from, to) => values.slice(Math.max(0, from), to).reduce((all, one) => all + one, 0);

  // The points of a range, the last one first complete; minutes before the DataNode's start are left out: a point of them alone is null.
  function points([, minutes, step]) {
    const known = history.ssdReadBytes.length;
    const out = {x: [], ssd: [], disk: [], hits: [], promoted: [], demoted: []};
    for (let back = minutes; back > 0; back -= step) {
      const from = known - back;
      const to = from + step;
      const here = to > 0;
      const rate = values => here ? sum(values, from, to) / (60 * (to - Math.max(0, from))) : null;
      const ssd = rate(history.ssdReadBytes);
      const disk = rate(history.diskReadBytes);
      out.x.push((history.endMillis - (back - step) * history.stepMillis) / 1000);
      out.ssd.push(ssd);
      out.disk.push(disk);
      out.hits.push(ssd + disk > 0 ? 100 * ssd / (ssd + disk) : null);
      out.promoted.push(rate(history.promotedBytes));
      out.demoted.push(rate(history.demotedBytes));
    }
    return out;
  }

  function options(width, format, lines, id) {
    const axis = {stroke: colour('--faint'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line')}};
    return {
      width,
      height: 140,
      series: [
        {label: 'Time', value: (u, seconds) => seconds === null ? '' : clock(seconds)},
        ...lines.map(([label, name]) => ({
          label, stroke: colour(name), width: 2, spanGaps: false, points: {size: 4},
          value: (u, value) => value === null ? '' : format(value),
        })),
      ],
      axes: [
        {...axis, space: 80, values: (u, ticks) => ticks.map(clock)},
        {...axis, size: 80, values: (u, ticks) => ticks.map(format), ...(id === 'hits' ? {} : {incrs: STEPS})},
      ],
      scales: {y: {range: (u, least, most) => [0, id === 'hits' ? 100 : Math.max(1, most || 0)]}},
    };
  }

  function draw() {
    if (!history) {
      return;
    }
    const data = points(range);
    for (const [id, format, lines] of CHARTS) {
      const place = byId(id);
      if (plots[id]) {
        plots[id].destroy();
      }
      plots[id] = new uPlot(options(place.clientWidth, format, lines, id), [data.x, ...lines.map(line => data[line[2]])], place);
      const now = lines.map(([label, , key]) => {
        const known = data[key].filter(value => value !== null);
        return label + (known.length ? ' at last ' + format(known[known.length - 1]) : ': nothing yet');
      });
      place.setAttribute('aria-label', byId('h-' + id).textContent + ', last ' + range[0] + ': ' + now.join(', '));
    }
    drawHours();
  }

  function drawHours() {
    const known = history.ssdReadBytes.length;
    const rows = [];
    for (let to = known; to > 0; to -= 60) {
      const of = key => sum(history[key], to - 60, to);
      rows.push({ago: known - to, ssd: of('ssdReadBytes'), disk: of('diskReadBytes'), promoted: of('promotedBytes'), demoted: of('demotedBytes')});
    }
    table('hours', 'Reads and moves by hour', [
      ['Hour', '', row => row.ago ? row.ago / 60 + ' h before' : 'last'],
      ['From SSD', 'number', row => bytes(row.ssd)],
      ['From DISK', 'number', row => bytes(row.disk)],
      ['Share from SSD', 'number', row => share(row.ssd, row.ssd + row.disk)],
      ['Promoted', 'number', row => bytes(row.promoted)],
      ['Written back', 'number', row => bytes(row.demoted)],
    ], rows, 'Nothing yet: the first minute is not over.');
  }

  function drawRanges() {
    byId('ranges').replaceChildren(...RANGES.map(one => {
      const button = element('button', '', one[0]);
      button.type = 'button';
      button.setAttribute('aria-pressed', one === range);
      button.addEventListener('click', () => {
        range = one;
        for (const other of byId('ranges').children) {
          other.setAttribute('aria-pressed', other === button);
        }
        draw();
      });
      return button;
    }));
  }

  function drawWarnings(node) {
    byId('warnings').hidden = !node.warningCount;
    const place = byId('warnings').querySelector('div');
    const texts = node.status.warnings || ['There are ' + node.warningCount + '. Administrators see them, and the DataNode\'s log has them.'];
    place.replaceChildren(element('ul', 'bad', ...texts.map(text => element('li', '', text))));
  }

  function drawNow(s) {
    const read = s.counters.SsdBytesRead + s.counters.DiskBytesRead;
    const known = text => s.notCounted ? '?' : text;
    cards('now', [
      ['SSD space', known(bytes(s.capacityBytes))],
      ['dirty', known(bytes(s.dirtyBytes))],
      ['clean', known(bytes(s.cleanBytes))],
      ['checksums', known(bytes(s.checksumBytes))],
      ['pinned', known(bytes(s.ownerBytes))],
      ['free', known(bytes(s.freeBytes))],
      ['from SSD since start', share(s.counters.SsdBytesRead, read)],
      ['read since start', bytes(read)],
      ['in use in 24 h', s.shadowReads ? bytes(s.workingSetDayBytes) : '-'],
      ['written for 100 read', s.counters.SsdBytesRead ? s.ssdBytesWrittenPer100Read : '-'],
      ['moves queued or under way', known(count(s.movesQueued))],
      ['hinted reads left', known(count(s.hintsLeft))],
    ]);
  }

  function drawDevices(node) {
    const ssds = node.status.devices;
    const known = number => node.status.notCounted ? '?' : bytes(number);
    const fast = new Set(ssds.map(ssd => ssd.storageType));
    table('ssds', 'SSDs', [
      ['Device', 'name', d => d.device],
      ['Type', '', d => d.storageType],
      ['State', '', d => d.usable ? 'ok' : 'out of use: see the log'],
      ['Size', 'number', d => known(d.capacityBytes)],
      ['Dirty', 'number', d => known(d.dirtyBytes)],
      ['Clean', 'number', d => known(d.cleanBytes)],
      ['Checksums', 'number', d => known(d.checksumBytes)],
      ['Pinned', 'number', d => known(d.ownerBytes)],
      ['Free', 'number', d => known(d.freeBytes)],
      ['Written in 24 h', 'number', d => known(d.userWriteBytesPerDay + d.promotionBytesPerDay)],
      ['of it promoted', 'number', d => known(d.promotionBytesPerDay)],
      ['Write budget left', 'number', d => d.writeBudgetLeftBytes === undefined ? 'no budget' : known(Math.max(0, d.writeBudgetLeftBytes))],
    ], ssds, node.status.notCounted ? 'Not known.' : 'No SSD: nothing is cached here.');
    table('disks', 'HDDs', [
      ['Volume', 'name', v => v.directory],
      ['Type', '', v => v.storageType || '-'],
      ['State', '', v => v.failed ? 'failed' : 'ok'],
      ['Used', 'number', v => bytes(v.usedBytes)],
      ['Free', 'number', v => bytes(v.freeBytes)],
      ['Blocks', 'number', v => count(v.blocks)],
    ], node.volumes.filter(volume => !fast.has(volume.storageType)), 'No DISK.');
  }

  const LATE = 'Not known: the planner does not answer.';

  function drawWorkflows(node) {
    table('workflows', 'Workflows', [
      ['Workflow', 'name', w => w.workflow],
      ['User', 'name', w => w.user],
      ['Done', '', w => {
        const bar = element('progress', '');
        bar.max = Math.max(1, w.accepted);
        bar.value = w.accepted - w.left;
        bar.setAttribute('aria-label', 'hinted reads done');
        return element('span', '', bar, ' ' + count(w.accepted - w.left) + ' of ' + count(w.accepted));
      }],
      ['Refused', 'number', w => count(w.refused)],
      ['Age', 'number', w => time(w.ageMillis)],
      ['Ends in', 'number', w => time(w.expiresInMillis)],
    ], node.workflows || [], !node.workflows ? LATE : node.administrator ? 'None has hints left here.' : 'None of yours has hints left here.');
    const more = node.workflows ? node.workflowCount - node.workflows.length : 0;
    if (more > 0) {
      byId('workflows').append(element('p', '', 'The last submitted; ' + count(more) + ' more: hycache list'));
    }
  }

  const MOVES = {PROMOTE: 'to SSD', DEMOTE: 'written back'};

  function drawMoves(node) {
    const columns = [
      ['Move', '', m => MOVES[m.kind] || m.kind],
      ['Size', 'number', m => bytes(m.bytes)],
      ['State', '', m => m.endedAgoMillis === null ? m.state.toLowerCase() : m.state === 'ROLLED_BACK' ? 'given up' : 'done'],
      ['When', '', m => m.endedAgoMillis === null ? 'for ' + time(m.begunAgoMillis) : time(m.endedAgoMillis) + ' ago'],
    ];
    if (node.administrator) {
      columns.push(['Block', '', m => m.blockName], ['Decided by', '', m => m.trigger.toLowerCase().replace(/_/g, ' ') || '-']);
    }
    columns.push(['The block now', 'wide', m => m.reasonText || '?']);
    table('moves', 'Moves', columns, node.moves.slice(0, 40), 'None yet.');
  }

  function drawBlocks(node) {
    if (!node.administrator) {
      byId('blocks').replaceChildren(element('p', 'none', 'Administrators see them.'));
      return;
    }
    table('blocks', 'Blocks read most often', [
      ['Block', '', b => b.blockName],
      ['Reads', 'number', b => count(b.reads)],
      ['Hinted reads left', 'number', b => count(b.referencesLeft)],
      ['Replica on', '', b => b.storage],
      ['Why it is, or is not, on SSD', 'wide', b => b.reasonText],
    ], node.mostRead || [], node.mostRead ? 'No block was read yet.' : LATE);
  }

  function drawDirectory(node) {
    const d = node.directory;
    const texts = !d ? ['This DataNode has no part in the directory of what is on SSD.'] : [
      d.members + ' members; ' + (d.viewAgeMillis ? 'listed by the NameNode ' + time(d.viewAgeMillis) + ' ago.' : 'not listed by the NameNode yet.'),
      'Here: ' + count(d.records) + ' records, ' + bytes(d.bytes) + '; ' + count(d.primaryShards) + ' shards of the keys'
        + (d.pullingShards ? ', of which ' + count(d.pullingShards) + ' are being copied from other members.' : ', all complete.'),
    ];
    if (node.status.directoryTrouble) {
      texts.push(node.status.directoryTrouble);
    }
    byId('directory').replaceChildren(...texts.map(text => element('p', '', text)));
  }

  async function refresh() {
    const node = await ask('/hycache/node.json');
    const s = node.status;
    document.title = 'HyCache on ' + node.dataNode;
    byId('name').textContent = node.dataNode;
    byId('about').textContent = (s.passThrough ? 'PASS-THROUGH: plain HDFS until the DataNode restarts' : 'Mode ' + s.mode)
      + ', policy ' + s.policy + (node.version ? ', version ' + node.version : '') + '.'
      + (s.plannerStalledSeconds ? ' The planner is late by ' + s.plannerStalledSeconds + ' s.' : '')
      + (s.notCounted ? ' What is on the SSDs is not known, and dirty replicas may be there: ' + s.notCounted + '.' : '');
    byId('about').classList.toggle('bad', s.passThrough || s.plannerStalledSeconds > 0);
    drawWarnings(node);
    drawNow(s);
    drawDevices(node);
    drawWorkflows(node);
    drawMoves(node);
    drawBlocks(node);
    drawDirectory(node);
    if (Date.now() - asked >= HISTORY_MILLIS) {
      history = await ask('/hycache/history.json');
      asked = Date.now();
      draw();
    }
  }

  drawRanges();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  let width = 0;
  new ResizeObserver(() => {
    if (byId('bytes').clientWidth !== width) {
      width = byId('bytes').clientWidth;
      draw();
    }
  }).observe(byId('bytes'));
  repeat(refresh);
})();
