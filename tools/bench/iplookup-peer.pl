# The peer: MaxMind's own writer in Perl, given the same rows. Prints what it took as JSON.
#   perl iplookup-peer.pl <CSV file> <lookup file> <column name>...
use strict;
use warnings;
use MaxMind::DB::Writer::Tree;

my ($input, $output, @columns) = @ARGV;
my %is_number = map { $_ => 1 } qw(latitude longitude);
my $tree = MaxMind::DB::Writer::Tree->new(
    ip_version               => 6,
    record_size              => 28,
    database_type            => 'bench',
    languages                => ['en'],
    description              => { en => 'bench' },
    alias_ipv6_to_ipv4       => 1,
    remove_reserved_networks => 0,
    map_key_type_callback    => sub { $is_number{ $_[0] } ? 'double' : 'utf8_string' },
);

my $rows = 0;
open my $csv, '<:encoding(UTF-8)', $input or die "$input: $!\n";
while (my $line = <$csv>) {
    my ($first, $last, @cells) = $line =~ /"([^"]*)"/g;
    my %record;
    @record{@columns} = @cells;
    $tree->insert_range(dotted($first), dotted($last), \%record);
    $rows++;
}
open my $file, '>:raw', $output or die "$output: $!\n";
$tree->write_tree($file);
close $file or die "$output: $!\n";

my ($user, $system) = times;
printf '{"rows":%d,"cpuSeconds":%.2f,"peakMb":%.0f}', $rows, $user + $system, peak_mb();

sub dotted { return join '.', unpack 'C4', pack 'N', shift }

sub peak_mb {
    open my $status, '<', '/proc/self/status' or return 0;
    while (<$status>) { return $1 * 1024 / 1e6 if /^VmHWM:\s+(\d+) kB/ }
    return 0;
}
