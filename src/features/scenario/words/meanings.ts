/**
 * Words that mean the same in IT, a meaning a line; a term with `~` also means itself, and only where a
 * learner says it.
 */
const meanings = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(', '));

export const DOING = meanings(`
restart, reboot, bounce, relaunch, power cycle, kick, cycle
reload, hup, sighup, re read
start, launch, boot, bring up, spin up, fire up, turn on, switch on, power on, begin, kick off, trigger, initiate, ~open, ~activate
stop, halt, shut down, shutdown, turn off, switch off, power off, power down, bring down, shut off, pause, freeze, interrupt, cease, quit, resign, suspend it, put a stop, ~end, ~disable, ~cancel, ~throw out, ~kick out, ~revoke, ~kill, ~terminate, ~kick
kill, terminate, pkill, sigkill, end, close out
enable, activate
disable, deactivate, lock, take away access, switch it off, ~block, ~suspend, ~freeze, ~pause
install, set up, setup, apt install, apt get install, yum install, npm install, pip install, put in place, establish
uninstall, apt remove
upgrade, update, patch, bump
rollback, roll back, revert, undo, back out, rollout undo, git revert, previous version, previous release, last good version, last known good, go back to, unroll, downgrade, put back, switch back, reinstate, old version, earlier version, prior version, former version, old release, prior release, return to, go back, backtrack, step back, unship, undeploy, ~reverse
deploy, deployment, redeploy, release, ship, roll out, rollout, push live, go live, push to production, put live, put into production, bring live, make live, publish it, ~update
build, compile
test, test suite, unit test, pytest, jest, try out, try it out, try out on
scale, add capacity, more capacity, more instances, add instances, more replicas, add replicas, ~enlarge, ~increase
increase, raise, double, enlarge, extend, grow, expand, widen, more, add more, bigger, larger, resize, upsize, crank up, beef up, boost, additional, extra, make bigger
configure, adjust, tweak, reconfigure, tune, ~setup, ~set up, ~set
change, modify, edit, alter, overwrite, amend, ~update, ~set up, ~reset, ~renew, ~replace, ~swap, ~set, ~turn
fix, repair, correct, mend, resolve, solve, hotfix, hot fix, bugfix, bug fix, remedy, heal, sort out, ~patch
delete, remove, rm, erase, drop, get rid of, unlink, dump it, throw away, throw out, discard, trash, nuke, eliminate, axe, bin it, ditch, destroy, take out, toss, strip out, scrub, ~cancel, ~clear, ~purge, ~wipe, ~kick out, ~revoke, ~kick, ~throw
clean, cleanup, clear, purge, prune, free, vacuum, tidy, empty, shrink
copy, cp, clone, scp, rsync, ~export, ~download
move, mv, relocate, shift, transfer it, ~put, ~transfer
rotate, logrotate, roll over
compress, gzip, zip, archive, squeeze
create, make, add, mkdir, touch, generate, write, draft, compose, prepare, draw up, put together, produce, set down, introduce, invent, formulate, come up with, ~open, ~put, ~establish, ~setup, ~set up, ~renew, ~set, ~document, ~organise, ~define, ~export
backup, back up, snapshot, dump, pg_dump, mysqldump, safety copy, save point, restore point
restore, recover, bring back, pg_restore, recovery, get back up
migrate, move over, port over, transfer
replicate, replica, standby, secondary
failover, fail over, switch over, switchover, promote
drain, out of rotation
block, deny, ban, firewall off, blacklist, blocklist, black list, block list, deny list, denylist, filter out, bar, ~disable, ~lock
allow, permit, whitelist, allowlist, open up
isolate, quarantine, disconnect, unplug, take offline, cut off, segregate, contain, air gap
revoke, invalidate, expire, cancel, withdraw, rescind, annul, nullify, ~undo, ~reverse
reset, set again, ~renew
encrypt
limit, throttle, rate limit, cap, restrict
optimize, optimise, speed up, make faster, improve performance, speed it up
index, create index, add index
retry, try again, rerun, re run, run again, redo, once again, repeat, do over
wait, hold on, do nothing, sit tight, hold off, sleep, stand by, sit back, relax, chill, be patient, wait and see, take a break, sit and wait, hang on
reproduce, repro, replicate the problem, recreate the problem, recreate, provoke, re create
save, keep, preserve, secure, retain, store, capture, stash, ~record, ~export, ~download
submit, send, upload, hand in, transmit, hand over to, dispatch, deliver, ~transfer
calculate, compute, recalculate, recompute, re calculate
skip, leave out, omit, drop out, bypass
wipe, reimage, reinstall, format, re image, factory reset, start fresh
automate, automatic
assign, delegate, hand over, give the task, appoint, entrust, put in charge
prioritize, prioritise, rank, triage, order by importance
agree, decide, settle, choose, pick, agreement, make a decision, decision, reach an agreement, ~schedule, ~define
plan, strategy, approach, roadmap, plan for, ~agree, ~schedule, ~arrang, ~organise
approve, sign off, accept, green light, signature, sign, countersign, authorize, authorise, signoff, release it, give the ok, okay it, thumbs up
buy, purchase, procure, acquire
train, teach, educate, awareness
click, visit
force, compel, make everyone, oblige, impose
reduce, decrease, lower, scale down, scale in, fewer, smaller, ~shrink
rehearse, ~practice, ~practise, ~simulate, ~dry run
`);

export const LOOKING = meanings(`
check, inspect, look into, look, view, see, show, read, examine, review, cat, tail, less, print, display, ~get, describe, grep, list, ~select, ls, analyze, analyse, study, pull up, investigate, find out, go through, go over, have a look, take a look, peek, scan through, scroll, skim, browse, explore, dig, go into, figure out, ~understand, ~learn, discover, determine, identify, ~know, glance, research, diagnose, audit, survey, assess, evaluate, ssh, head to, log into, log in to, take a peek, eyeball, take stock, lookup, ~open, ~verify, ~confirm, ~doublecheck, ~recheck, ~monitor, ~watch, ~observe, ~find, ~search, ~compare, ~diff, ~count, ~measure, ~present, ~pitch
verify, confirm, validate, double check, make sure, ensure, sanity check, prove, doublecheck, recheck, re check, crosscheck, cross check, make certain, see to it, test whether, test if, assure, ~check, ~see, ~look
monitor, watch, observe, track, look out for, keep watching
search, find, look for, locate, hunt, seek, hunt for, spot, track down
compare, diff, git diff, contrast, reconcile, match up, differ, set against, side by side, comparison
measure, profile, benchmark, explain analyze, explain, quantify, time how long
ping, curl, probe, health check, healthcheck, smoke test
count, number of, how many, how often, tally
`);

export const TALKING = meanings(`
tell, inform, warn, post, write to, alert people, notify, let know, communicate, announce, report, escalate, update stakeholders, send a message, heads up, post an update, brief, keep informed, keep posted, loop in, say, drop a line, drop a note, send a note, give notice, raise awareness, spread the word, message to, text, send word, reply, respond, fill in on, advise, caution, send out, ~update, ~message, ~email, ~mail, ~slack, ~ping, ~page, ~call, ~phone, ~contact, ~alert, ~talk, ~speak, ~reach out to, ~present, ~pitch, ~show, ~explain, ~thank
call, phone, ring, wake, dial, telephone, give a call, give a ring, page
ask, listen, hear, question, interview, consult, contact, reach out, discuss, talk, speak, chat, get hold of, check with, have a word, have a chat, have a conversation, sit down with, get input, get feedback, inquire, enquire, turn to, get in touch, touch base, conversation with, request, invite the opinion
apologize, apologise, say sorry
propose, suggest, recommend, offer
promise, guarantee, assure them, pledge, swear, commit to, give my word, vow, give a commitment
thank, praise, say thanks, compliment
blame, tell off, scold, yell, shout, punish, reprimand, lecture, berate, rebuke, call out, chew out, accuse, shame, humiliate, snap at, rant, point the finger, reproach, discipline, fire, sack, dismiss, insult
calm, reassure, comfort, soothe, put at ease
`);

export const THINGS = meanings(`
configuration, config, settings, conf, config file
pipeline, ci, ci cd, continuous integration
cache, redis, memcached
log, logfile, log file, journal, journalctl, syslog, log entries, log output
metric, graph, dashboard, grafana, charts, monitoring, kibana, prometheus, datadog, statistics, stats, new relic, curves, telemetry, trend
alert, alarm, pager, warning, notification, warnings, pagerduty
disk, disk space, storage, disk usage, filesystem, file system, volume, df, du, partition, hard drive, drive, space, hard disk, hdd, ssd, disc
memory, ram, heap, oom
cpu, processor, load, top, htop, cpu usage, cpu load
network, connection
database, db, postgres, postgresql, mysql, sql server, psql, database server, pg, db server
query, sql, statement, sql query, select statement
table, schema
web server, webserver, nginx, apache, httpd, http server
load balancer, lb, haproxy, elb, alb, loadbalancer
website, site, web site, homepage, home page, web page, webpage
application, app, backend, back end, service, program, software
server, machine, host, node, vm, box, instance
container, containers, docker, pod
queue, backlog, message queue, rabbitmq, kafka
worker, consumer, job runner
user, account
customer, client, buyer, shopper
password, credential, passphrase, login details, pw, passwd, pwd, pass word, login data
session, token, cookie
key, api key, secret, access key
certificate, cert, tls, ssl, https certificate
email, mail, e mail, message
attachment, attached file, attached document
phishing, scam, fake mail, fake email, suspicious mail, suspicious email
malware, virus, trojan, ransomware, antivirus, malicious software, spyware, infection, keylogger
firewall, iptables, ufw, security group
mfa, 2fa, two factor, multi factor, second factor, authenticator, two factor authentication, multi factor authentication, second device, mfa device, authenticator app, authentication device, otp
branch, git branch, feature branch
commit, git log, changelog, change log, recent changes, what changed, release notes
bug, defect, error, fault, exception, stack trace, stacktrace, traceback, failure, crash, ~fail, ~broken
incident, outage, downtime, disruption
ticket, issue, jira, case
feature flag, feature toggle, flag, toggle, feature switch
production, prod, live system, live environment
staging, test environment, preproduction, pre production, sandbox environment, test system, staging environment, staging server, test server, uat
document, docs, write up, write down, runbook, wiki, note down, put down, put in writing, jot down, take notes, put on paper, ~write, ~note, ~record, ~draft, ~communicate
requirement, specification, spec, acceptance criteria
deadline, due date, timeline, schedule
cost, price, budget, expense
risk, risk assessment
team, colleagues, coworkers, co workers, everyone, everybody, people, folks here, teammates, team mates, crew, the guys
staff, employees, personnel, workforce, all employees, all staff, all colleagues, whole company, entire company, all hands
manager, boss, lead, team lead, supervisor, superior, higher ups
security team, soc, security, infosec, incident response
support, helpdesk, help desk, service desk, support team, support desk, customer service, customer support, hotline team
developer, engineer, dev, programmer, coder
dba, database administrator, database admin
stakeholder, business, product owner, sponsor
legal, lawyer, compliance, privacy officer, dpo
vendor, supplier, provider, third party
meeting, call a meeting, workshop, standup, stand up, sync, conference, gathering, get together, all hands meeting
status page, statuspage, public status, banner
postmortem, post mortem, retrospective, retro, incident review, lessons learned, root cause analysis, rca, review meeting, after action review
manual, by hand
root cause, cause, culprit, reason for, responsible for it
`);
