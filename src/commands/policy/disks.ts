import type { Knowledge, Rule } from '../types.ts';

const DISK = '^/dev/(sd|hd|vd|xvd|nvme|mmcblk|r?disk|dm-|md|mapper|loop|mem$|kmem|port$|sr|nbd|zram|block)';

export const rules: Rule[] = [
  {
    id: 'disks.overwrite',
    severity: 'catastrophic',
    reason: 'writes straight onto a disk',
    instead: 'write to a file inside the project',
    when: [
      { writesTo: DISK },
      {
        program: ['shred', 'wipe', 'blkdiscard', 'badblocks', 'nwipe', 'dcfldd', 'hdparm'],
        path: DISK,
        notLine: '^-[IitT]+ ',
      },
    ],
    examples: {
      deny: [
        'dd if=/dev/zero of=/dev/sda',
        'echo x > /dev/sda',
        'cat x | sudo tee /dev/nvme0n1',
        'shred /dev/sdb',
        'cp x.img /dev/disk2',
      ],
      pass: [
        'dd if=/dev/zero of=test.bin count=1',
        'ls /dev/sda',
        'echo x > /dev/null',
        'dd if=/dev/urandom bs=16 count=1',
      ],
    },
  },
  {
    id: 'disks.format',
    severity: 'catastrophic',
    reason: 'formats or repartitions a disk',
    instead: 'leave disks alone; lsblk and fdisk -l only show them',
    when: [
      {
        program: ['mkfs', 'mkfs.*', 'mke2fs', 'mkswap', 'wipefs', 'newfs', 'format', 'mkdosfs'],
        path: '^/dev/',
        notFlags: ['-n'],
      },
      {
        program: ['fdisk', 'sfdisk', 'sgdisk', 'gdisk', 'cfdisk', 'parted', 'partprobe'],
        path: DISK,
        notFlags: ['-l', '--list', '-p', '-d', '--dump', '-s'],
        notLine: 'print|list',
      },
      {
        program: ['diskutil'],
        sub: [
          'erasedisk',
          'erasevolume',
          'partitiondisk',
          'secureerase',
          'zerodisk',
          'randomdisk',
          'reformat',
          'apfs deletecontainer',
          'apfs deletevolume',
        ],
      },
      { program: ['cryptsetup'], sub: ['luksformat', 'erase', 'lukserase', 'lukskillslot', 'luksremovekey'] },
      {
        program: ['lvremove', 'vgremove', 'pvremove'],
        minWords: 1,
      },
      { program: ['zpool', 'zfs'], sub: ['destroy', 'labelclear'] },
      { program: ['mdadm'], flags: [['--zero-superblock', '--remove', '--stop']] },
      { program: ['nvme'], sub: ['format', 'sanitize', 'write-zeroes'] },
    ],
    examples: {
      deny: [
        'mkfs.ext4 /dev/sda1',
        'sudo fdisk /dev/sda',
        'wipefs -a /dev/sdb',
        'diskutil eraseDisk JHFS+ X disk2',
        'zpool destroy tank',
        'lvremove -f vg/lv',
        'parted /dev/sda mklabel gpt',
        'cryptsetup luksFormat /dev/sda2',
      ],
      pass: [
        'fdisk -l',
        'sudo fdisk -l /dev/sda',
        'lsblk',
        'mkfs.ext4 disk.img',
        'zpool list',
        'zpool import',
        'diskutil list',
      ],
    },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'only shows disks',
    when: [
      { program: ['fdisk', 'sfdisk', 'parted'], flags: [['-l', '--list']] },
      { program: ['diskutil'], sub: ['list', 'info', 'apfs list'] },
      { program: ['zpool', 'zfs'], sub: ['list', 'status', 'get', 'iostat', 'history'] },
      {
        program: ['lvs', 'vgs', 'pvs', 'lvdisplay', 'vgdisplay', 'pvdisplay', 'smartctl', 'hdparm'],
      },
      { program: ['sync'] },
    ],
    examples: {
      allow: ['fdisk -l', 'zpool status', 'diskutil list'],
      unknown: ['zpool create tank /dev/sdb', 'swapoff -a'],
    },
  },
  {
    about: 'makes a file system in an image among temporary files',
    when: [
      {
        program: ['mkfs.ext2', 'mkfs.ext3', 'mkfs.ext4', 'mkfs.vfat', 'mkfs.fat'],
        within: ['temp'],
        everyArg: '\\.img$',
        minWords: 1,
        maxWords: 1,
      },
    ],
    examples: {
      allow: ['mkfs.ext4 -q -F /tmp/test.img'],
      unknown: ['mkfs.ext4 -F disk.img', 'mkfs.ext4 -d src /tmp/x.img'],
    },
  },
];
